"""Commands: everything a user can run, in one table, from which menus, keys, palette and key sheet are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from octoscope.viewer.commands.search import CANNOT_RUN, MOST_OF_PANEL, score
from octoscope.viewer.window.keys import BLENDER, OCTOSCOPE, PRESETS, Chord, bind

MENUS = ("File", "Edit", "Select", "Object", "View", "Octree", "Tools", "Help")

_Function = TypeVar("_Function", bound=Callable[..., object])


@dataclass(frozen=True)
class Command:
    """Something a user can run.

    Its functions take the context that it is declared for (see Declarations), and nothing once it is bound to one.
    """

    id: str  # its name in the user's configuration, as "view.frame"; the part before the dot is its group
    label: str
    run: Callable[..., object]
    menu: str  # path of the menu that lists it, such as "View/Look from"; the first part is one of MENUS
    keys: tuple[str, ...] = ()  # of the default preset, as Chord.parse reads them
    blender_keys: tuple[str, ...] | None = None  # keys of the Blender preset; None: those of the default preset
    description: str = ""  # what the key sheet and tooltips add to the label
    enabled: Callable[..., bool] = lambda *context: True  # whether it can run now
    checked: Callable[..., bool] | None = None
    in_context_menu: bool = True  # False for what is not about the selection
    separated: bool = False  # whether a line stands above it in the menu, or above the submenu that it is the first of
    refusal: str = ""  # shown when the user asks for it and it cannot run
    # whether it asks the user for more before anything is done; its label then ends with an ellipsis
    asks: bool = False
    needs_window: bool = False  # whether it is about the window's picture, pointer or files, which browsers lack
    repeats: bool = False  # whether Edit > Repeat runs it again, for what is selected then
    of: Callable[..., str] | None = None  # returns what it would apply to now, shown after the label, or ""
    after: str = ""  # id of the command that it stands behind in its menu; "": where it was declared
    synonyms: tuple[str, ...] = ()  # its names in other programs, in small letters, for the palette
    icon: str = ""  # glyph of the button in the toolbar, after the buttons of the core; "" for no button

    @property
    def is_on(self) -> bool:
        """True for a bound switch that is on."""
        return self.checked is not None and self.checked()

    @property
    def label_now(self) -> str:
        """The label of a bound command, with what it would apply to now."""
        return " ".join(filter(None, (self.label, "" if self.of is None else self.of()))) + ("…" if self.asks else "")

    def bound_to(self, context: object) -> Command:
        """Return the command with functions that take nothing and act on a context."""
        given = {name: getattr(self, name) for name in ("run", "enabled", "checked", "of")}
        bound: dict[str, Any] = {name: each and partial(each, context) for name, each in given.items()}
        return replace(self, **bound)


class Declarations:
    """Collects the commands of a file; an instance is the decorator that declares one.

    The functions take one argument, the context that the commands are bound to later, such as commands.Context:

        command = Declarations("Object")

        @command("object.group", "Group", "make them children of a new node", keys=("Ctrl+G",))
        def group(context: Context) -> None:
            context.change(editing.group)

    Args:
        after: id of the command behind which the first one stands; each other one stands behind the one before.
    """

    def __init__(self, menu: str, *, after: str = "", repeats: bool = False) -> None:
        self._menu = menu
        self._after = after
        self._repeats = repeats
        self._declared: list[Callable[[object], Iterator[Command]]] = []

    def __call__(
        self, command_id: str, label: str, description: str = "", *, menu: str = "", **more: Any
    ) -> Callable[[_Function], _Function]:
        """Declare a command; `more` are further attributes of Command."""

        def declare(run: _Function) -> _Function:
            after, self._after = self._after, self._after and command_id
            given = {"repeats": self._repeats, **more, "description": description, "after": after}
            declared = Command(command_id, label, run, menu or self._menu, **given)
            self._declared.append(lambda context: iter((declared.bound_to(context),)))
            return run

        return declare

    def several(self, commands_of: Callable[[Any], Iterator[Command]]) -> Callable[[Any], Iterator[Command]]:
        """Declare commands that depend on the context, by a function that takes it and yields them bound."""
        self._declared.append(commands_of)
        return commands_of

    def bound_to(self, context: object) -> list[Command]:
        """Return the commands for a context, in the order in which they were declared."""
        return [command for commands_of in self._declared for command in commands_of(context)]


class CommandTable:
    """All commands and their keys.

    Args:
        rebound: by command's id, keys in place of the preset's.

    Attributes:
        problems: a line about each id or key of `rebound` that is not valid.
        repeated: the last command that ran of those that Edit > Repeat runs again, or None.
    """

    def __init__(
        self,
        commands: Sequence[Command],
        *,
        preset: str = OCTOSCOPE,
        rebound: Mapping[str, Sequence[str]] | None = None,
        after_run: Callable[[Command], object] = lambda command: None,
        refuse: Callable[[Command], object] = lambda command: None,
    ) -> None:
        self.commands = tuple(_in_order(commands))
        self._by_id = {command.id: command for command in self.commands}
        if len(self._by_id) < len(self.commands):
            raise ValueError("two commands have one id")
        self.after_run = after_run
        self.refuse = refuse
        self.repeated: Command | None = None
        self._menus: dict[str, tuple[Command | str, ...]] = {}
        self._added: list[Command] = []
        self.rebind(preset, rebound or {})

    def rebind(self, preset: str, rebound: Mapping[str, Sequence[str]]) -> None:
        """Give all commands the keys of a preset, or others in place of those."""
        if preset not in PRESETS:
            raise ValueError(f"no preset {preset!r}")
        self._bound = preset, rebound
        added = {command.id: command.keys for command in self._added}  # which win, as those of the user do
        self._keys, self._owners, self.problems = bind(
            {
                command.id: command.keys if preset != BLENDER or command.blender_keys is None else command.blender_keys
                for command in self.commands
            },
            {**added, **rebound},
        )
        # Asked for all over the window in each of its frames.
        self._shown_keys = {command_id: ", ".join(map(str, chords)) for command_id, chords in self._keys.items()}

    def add(self, command: Command) -> None:
        """Add a bound command behind all others, in place of one that was added with its id."""
        self._added = [each for each in self._added if each.id != command.id] + [command]
        self.commands = (*(each for each in self.commands if each.id != command.id), command)
        self._by_id[command.id] = command
        self._menus.clear()
        self.rebind(*self._bound)

    def replace_menu(self, menu: str, commands: Sequence[Command]) -> None:
        """Put bound commands in place of those of a menu."""
        places = (place for place, command in enumerate(self.commands) if command.menu == menu)
        first = next(places, len(self.commands))
        others = [command for command in self.commands if command.menu != menu]
        self.commands = (*others[:first], *commands, *others[first:])
        self._by_id = {command.id: command for command in self.commands}
        self._menus.clear()
        self.rebind(*self._bound)

    def __getitem__(self, command_id: str) -> Command:
        return self._by_id[command_id]

    def keys_of(self, command: Command) -> tuple[Chord, ...]:
        """Return the keys of a command."""
        return self._keys[command.id]

    def shown_keys(self, command: Command) -> str:
        """Return the keys of a command as text."""
        return self._shown_keys[command.id]

    def run(self, command: Command) -> None:
        """Run a command if it can run now."""
        if command.enabled():
            command.run()
            if command.repeats:
                self.repeated = command
            self.after_run(command)
        else:
            self.refuse(command)

    def owner_of(self, chord: Chord) -> Command | None:
        """Return the command of a key, or None."""
        return self._by_id.get(self._owners.get(chord, ""))

    def press(self, chord: Chord) -> None:
        """Run the command of a key, if there is one."""
        command = self.owner_of(chord)
        if command is not None:
            self.run(command)

    def in_menu(self, menu: str) -> tuple[Command | str, ...]:
        """Return the commands of a menu and the paths of its submenus, each at the place of its first command."""
        found = self._menus.get(menu)
        if found is None:
            found = self._menus[menu] = tuple(dict.fromkeys(self._items_of(menu)))
        return found

    def _items_of(self, menu: str) -> Iterator[Command | str]:
        for command in self.commands:
            if command.menu == menu:
                yield command
            elif command.menu.startswith(menu + "/"):
                yield "/".join(command.menu.split("/")[: menu.count("/") + 2])

    def search(self, query: str) -> list[Command]:
        """Return the commands that match a query, the best first, also those that cannot run; "" matches all."""
        found = []
        for command in self.commands:
            points = score(query, command.label, command.menu, command.synonyms)
            if points is not None:
                points = min(points, MOST_OF_PANEL) if command.id.startswith("panel.") else points
                found.append((points - CANNOT_RUN * (points > 0.0 and not command.enabled()), command))
        return [command for _, command in sorted(found, key=lambda pair: -pair[0])]


def _in_order(commands: Sequence[Command]) -> list[Command]:
    """Return commands with each behind the one that its `after` names and others of it, or at the end."""
    ordered = [command for command in commands if not command.after]
    for command in commands:
        if command.after:
            ids = [each.id for each in ordered]
            place = ids.index(command.after) + 1 if command.after in ids else len(ids)
            before = {command.after}  # it stands behind others of that one, and what stands behind these
            while place < len(ordered) and ordered[place].after in before:
                before.add(ordered[place].id)
                place += 1
            ordered.insert(place, command)
    return ordered
