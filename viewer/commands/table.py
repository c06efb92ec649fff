"""Commands: everything that can be done, in one table. Menus, keys, the palette and the key sheet are made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from viewer.commands.search import score
from viewer.window.keys import PRESETS, Chord, bind

MENUS = ("File", "Edit", "Select", "Object", "View", "Octree", "Tools", "Help")


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """Something a person can have done.

    Attributes:
        id: names it for good, as "view.frame"; what comes first is its group.
        label: names it in a menu.
        run: does it.
        menu: path of the menu it stands in, such as "View/Look from"; the first part is one of MENUS.
        keys: of the default preset, as Chord.parse reads them.
        blender_keys: of the Blender preset; None: as the default's.
        description: says more than the label, for the key sheet.
        enabled: whether it can be done now. checked: for a switch, whether it is on.
        separated: whether a line stands above it in the menu.
        refusal: why it cannot be done, where a person who asks for it should be told.
        asks: whether a person is asked for more before anything is done, which its label then tells.
        synonyms: what people call it who learned another program, in small letters; the palette finds it by them.
        of: what it would be done to now, behind the label where that is shown; "" or None: that goes without saying.
    """

    id: str
    label: str
    run: Callable[[], object]
    menu: str
    keys: tuple[str, ...] = ()
    blender_keys: tuple[str, ...] | None = None
    description: str = ""
    enabled: Callable[[], bool] = _always
    checked: Callable[[], bool] | None = None
    separated: bool = False
    refusal: str = ""
    asks: bool = False
    of: Callable[[], str] | None = None
    synonyms: tuple[str, ...] = ()

    @property
    def label_now(self) -> str:
        """The label, and what it would be done to now."""
        return " ".join(filter(None, (self.label, "" if self.of is None else self.of()))) + ("…" if self.asks else "")


class CommandTable:
    """All commands, with the keys that they have.

    Args:
        commands: in the order of menus; no id twice.
        preset: one of keys.PRESETS.
        rebound: by command's id, keys in place of the preset's.

    Attributes:
        problems: a line about each key or id of `rebound` that cannot be.
        after_run: called with each command that was run. refuse: with each that was asked for and cannot be done now.
    """

    def __init__(
        self,
        commands: Sequence[Command],
        *,
        preset: str = "default",
        rebound: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        if preset not in PRESETS:
            raise ValueError(f"no preset {preset!r}")
        self.commands = tuple(commands)
        self._by_id = {command.id: command for command in self.commands}
        if len(self._by_id) < len(self.commands):
            raise ValueError("two commands have one id")
        self.after_run: Callable[[Command], None] = lambda command: None
        self.refuse: Callable[[Command], None] = lambda command: None
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
