"""Commands: everything that can be done, in one table. Menus, keys, the palette and the key sheet are made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from viewer.commands.search import score
from viewer.window.keys import PRESETS, Chord, bind

MENUS = ("File", "Edit", "Select", "Object", "View", "Octree", "Tools", "Help")


_Function = TypeVar("_Function", bound=Callable[..., object])


def _always(*context: object) -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """Something a user can run.

    Its functions take the context that it is declared for (see Declarations), and nothing once it is bound to one.

    Attributes:
        id: its name in the user's configuration, as "view.frame"; the part before the dot is its group.
        label: its name in a menu.
        run: does it.
        menu: path of the menu that lists it, such as "View/Look from"; the first part is one of MENUS.
        keys: of the default preset, as Chord.parse reads them.
        blender_keys: keys of the Blender preset; None: those of the default preset.
        description: says more than the label, for the key sheet.
        enabled: whether it can run now.
        checked: for a switch, whether it is on.
        separated: whether a line stands above it in the menu.
        refusal: why it cannot run, where a user who asks for it should be told.
        asks: whether it asks the user for more before anything is done; its label then ends with an ellipsis.
        synonyms: its names in other programs, in small letters; the palette finds it by them.
        of: what it would apply to now, shown behind the label; "" or None where that goes without saying.
    """

    id: str
    label: str
    run: Callable[..., object]
    menu: str
    keys: tuple[str, ...] = ()
    blender_keys: tuple[str, ...] | None = None
    description: str = ""
    enabled: Callable[..., bool] = _always
    checked: Callable[..., bool] | None = None
    separated: bool = False
    refusal: str = ""
    asks: bool = False
    of: Callable[..., str] | None = None
    synonyms: tuple[str, ...] = ()

    @property
    def label_now(self) -> str:
        """The label of a bound command, with what it would apply to now."""
        return " ".join(filter(None, (self.label, "" if self.of is None else self.of()))) + ("…" if self.asks else "")

    def bound_to(self, context: object) -> Command:
        """Return the command with functions that take nothing and act on a context."""
        given = {name: getattr(self, name) for name in ("run", "enabled", "checked", "of")}
        return replace(self, **{name: function and partial(function, context) for name, function in given.items()})


class Declarations:
    """Collects the commands of a file; calling it declares one, as a decorator of the function that runs it.

    The functions take one argument, the context that the commands are bound to later, such as commands.Context:

        command = Declarations("Object")

        @command("object.group", "Group", "make them children of a new node", keys=("Ctrl+G",))
        def group(context: Context) -> None:
            context.change(editing.group)

    Args:
        menu: where commands are listed that name no menu.
    """

    def __init__(self, menu: str) -> None:
        self._menu = menu
        self._declared: list[Callable[[object], Iterator[Command]]] = []

    def __call__(
        self, command_id: str, label: str, description: str = "", *, menu: str = "", **more: object
    ) -> Callable[[_Function], _Function]:
        """Declare a command; `more` are further attributes of Command."""

        def declare(run: _Function) -> _Function:
            declared = Command(command_id, label, run, menu or self._menu, description=description, **more)
            self._declared.append(lambda context: iter((declared.bound_to(context),)))
            return run

        return declare

    def several(self, commands_of: Callable[[Any], Iterator[Command]]) -> None:
        """Declare commands that depend on the context, by a function that yields them, bound, of one."""
        self._declared.append(commands_of)

    def bound_to(self, context: object) -> list[Command]:
        """Return the commands for a context, in the order in which they were declared."""
        return [command for commands_of in self._declared for command in commands_of(context)]


class CommandTable:
    """All commands, with the keys that they have.

    Args:
        commands: in the order of menus; no id twice.
        preset: one of keys.PRESETS.
        rebound: by command's id, keys in place of the preset's.
        after_run: called with each command that was run. refuse: with each that was asked for and cannot be done now.

    Attributes:
        problems: a line about each key or id of `rebound` that cannot be.
    """

    def __init__(
        self,
        commands: Sequence[Command],
        *,
        preset: str = "default",
        rebound: Mapping[str, Sequence[str]] | None = None,
        after_run: Callable[[Command], object] = lambda command: None,
        refuse: Callable[[Command], object] = lambda command: None,
    ) -> None:
        if preset not in PRESETS:
            raise ValueError(f"no preset {preset!r}")
        self.commands = tuple(commands)
        self._by_id = {command.id: command for command in self.commands}
        if len(self._by_id) < len(self.commands):
            raise ValueError("two commands have one id")
        self.after_run = after_run
        self.refuse = refuse
        self._keys, self._owners, self.problems = bind(
            {
                command.id: command.keys
                if preset == "default" or command.blender_keys is None
                else command.blender_keys
                for command in self.commands
            },
            rebound or {},
        )
        # Asked for all over the window in each of its frames.
        self._shown_keys = {command_id: ", ".join(map(str, chords)) for command_id, chords in self._keys.items()}
        self._menus: dict[str, tuple[Command | str, ...]] = {}

    def __getitem__(self, command_id: str) -> Command:
        """The command of that id; KeyError when there is none."""
        return self._by_id[command_id]

    def keys_of(self, command: Command) -> tuple[Chord, ...]:
        """The chords that run it."""
        return self._keys[command.id]

    def shown_keys(self, command: Command) -> str:
        """Its chords, for a person."""
        return self._shown_keys[command.id]

    def run(self, command: Command) -> None:
        """Run it, if it can be done now."""
        if command.enabled():
            command.run()
            self.after_run(command)
        else:
            self.refuse(command)

    def press(self, chord: Chord) -> None:
        """Run what a key belongs to, if it belongs to anything."""
        command_id = self._owners.get(chord)
        if command_id is not None:
            self.run(self._by_id[command_id])

    def in_menu(self, menu: str) -> tuple[Command | str, ...]:
        """What stands in a menu: its commands, and the paths of the menus in it, each where its first command is."""
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
        """The commands that a query finds, the best first, also those that cannot be done now; all for an empty one."""
        scored = [(score(query, command.label, command.menu, command.synonyms), command) for command in self.commands]
        found = [(points, command) for points, command in scored if points is not None]
        return [command for _, command in sorted(found, key=lambda pair: -pair[0])]
