"""Draw a scene in a widget of Qt (octoscope[qt]); drag to orbit, click to hear what is there."""

import sys

from PySide6.QtGui import QSurfaceFormat
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication

import octoscope


def button_of(event):
    return event.button().name.removesuffix("Button").lower()


class SceneWidget(QOpenGLWidget):
    def __init__(self, scene):
        super().__init__()
        self.view = octoscope.Embedded(scene)

    def initializeGL(self):
        self.context().aboutToBeDestroyed.connect(self.release)

    def release(self):
        self.makeCurrent()
        self.view.release()
        self.doneCurrent()

    def paintGL(self):
        size = round(self.width() * self.devicePixelRatio()), round(self.height() * self.devicePixelRatio())
        if self.view.draw(self.defaultFramebufferObject(), (0, 0, *size), pixel_ratio=self.devicePixelRatio()):
            self.update()  # a better picture is to come

    def mousePressEvent(self, event):
        self.view.mouse_press(*event.position().toTuple(), button_of(event))

    def mouseMoveEvent(self, event):
        if self.view.mouse_move(*event.position().toTuple()):
            self.update()

    def mouseReleaseEvent(self, event):
        if hit := self.view.mouse_release(*event.position().toTuple(), button_of(event)):
            print(hit.node.name, flush=True)

    def wheelEvent(self, event):
        self.view.scroll(*event.position().toTuple(), event.angleDelta().y() / 120.0)
        self.update()


if __name__ == "__main__":
    format = QSurfaceFormat()
    format.setVersion(3, 3)
    format.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    QSurfaceFormat.setDefaultFormat(format)
    application = QApplication(sys.argv)
    widget = SceneWidget(octoscope.load("assets/harbour.obj"))
    widget.resize(640, 480)
    widget.show()
    sys.exit(application.exec())
