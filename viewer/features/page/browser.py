"""File > Share as web page in browsers: the page is a download."""

from octoscope.viewer.features.page.feature import command
from octoscope.viewer.features.web.front import BrowserMenu, BrowserPart

PART = BrowserPart(lambda front: BrowserMenu(command.bound_to(front.context)))
