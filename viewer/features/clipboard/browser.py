"""Cut, copy and paste in browsers."""

from octoscope.viewer.features.clipboard.feature import Clipboard, command
from octoscope.viewer.features.web.front import BrowserMenu, BrowserPart

PART = BrowserPart(lambda front: BrowserMenu(command.bound_to(Clipboard(front.context))))
