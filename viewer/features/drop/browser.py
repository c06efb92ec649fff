"""Falling to the ground in browsers."""

from octoscope.viewer.features.drop.feature import command
from octoscope.viewer.features.web.front import BrowserMenu, BrowserPart

PART = BrowserPart(lambda front: BrowserMenu(command.bound_to(front.context)))
