// Outlines of selected or hovered objects, around each of them and between two that touch. A line has a dark rim on
// both sides, so that it is seen on any colour.
//   TILES  draws the least and the greatest number in each tile of TILE x TILE pixels, so that pixels are only looked
//          at where numbers differ

const int TILE = 16;  // as in viewer/rendering/passes/viewport_target.py

#if defined VERTEX_SHADER

#if defined TILES

in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 0.0, 1.0); }

#else

uniform sampler2D tiles;
uniform vec2 picture_size;  // pixels
uniform float width;        // pixels
uniform float rim;          // pixels, on either side

const int CORNERS[6] = int[6](0, 1, 2, 2, 1, 3);

// Two triangles for each tile, which are nowhere where all tiles in reach have but one number.
void main() {
    ivec2 size = textureSize(tiles, 0);
    int number = gl_VertexID / 6;
    ivec2 tile = ivec2(number % size.x, number / size.x);
    int around = (int(2.0 * rim + width + 0.5) + TILE - 1) / TILE;
    ivec2 first = max(tile - around, ivec2(0));
    ivec2 last = min(tile + around, size - 1);
    vec2 range = texelFetch(tiles, tile, 0).rg;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            vec2 other = texelFetch(tiles, ivec2(x, y), 0).rg;
            range = vec2(min(range.x, other.x), max(range.y, other.y));
        }
    }
    int corner = CORNERS[gl_VertexID % 6];
    vec2 place = vec2((tile + ivec2(corner & 1, corner >> 1)) * TILE) / picture_size;
    gl_Position = range.x == range.y ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(place * 2.0 - 1.0, 0.0, 1.0);
}

#endif

#elif defined FRAGMENT_SHADER

uniform sampler2D objects;  // 0 for none, else twice the object's number, plus 1 for the active object

#if defined TILES

out vec2 out_range;

void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * TILE;
    ivec2 last = min(first + TILE, textureSize(objects, 0)) - 1;
    float least = texelFetch(objects, first, 0).r;
    float greatest = least;
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            float object = texelFetch(objects, ivec2(x, y), 0).r;
            least = min(least, object);
            greatest = max(greatest, object);
        }
    }
    out_range = vec2(least, greatest);
}

#else

uniform vec3 color;
uniform vec3 active_color;
uniform float width;  // pixels
uniform float rim;    // pixels, on either side
out vec4 out_color;

const vec4 RIM_COLOR = vec4(0.03, 0.03, 0.04, 0.75);

uint object_at(ivec2 place) {
    return uint(texelFetch(objects, clamp(place, ivec2(0), textureSize(objects, 0) - 1), 0).r);
}

// Searches the pixels within `reach` for the nearest object other than `own`; of equally near ones the active one.
// Returns its number, or 0 for none; `nearest` is its distance in pixels.
uint other_object(ivec2 here, uint own, float reach, out float nearest) {
    int rows = int(reach);
    float square = reach * reach;
    uint other = 0u;
    // Rows 0, 1, -1, 2, -2 ... end where none can be nearer, and so do the columns.
    for (int i = 0; i <= 2 * rows; ++i) {
        int y = (i & 1) == 1 ? (i + 1) / 2 : -i / 2;
        if (float(y * y) > square) break;
        int columns = int(sqrt(square - float(y * y)));
        for (int x = -columns; x <= columns; ++x) {
            uint object = object_at(here + ivec2(x, y));
            if (object == own || object == 0u) continue;
            float its_square = float(x * x + y * y);
            bool is_preferred = its_square == square && other != 0u && object % 2u == 1u;
            if (its_square < square || is_preferred) {
                square = its_square;
                other = object;
            }
        }
    }
    nearest = sqrt(square);
    return other;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    uint own = object_at(here);
    // A line around an object lies wholly outside of it. A line between two objects is half as wide and lies in one of
    // them, with a rim in the other, so that many small selected objects can still be seen.
    float half_width = own == 0u ? 0.5 * width : 0.25 * width;
    float middle = own == 0u ? rim + half_width : half_width;
    float reach = (own == 0u ? 2.0 * (rim + half_width) : 2.0 * half_width) + 0.5;
    float nearest;
    uint other = other_object(here, own, reach, nearest);
    if (other == 0u) discard;
    // Pixels from the border between the two, positive on the side that the line lies on.
    float from_border = own < other && own != 0u ? 0.5 - nearest : nearest - 0.5;
    float beside = abs(from_border - middle) - half_width;  // pixels from the line's edge, outwards
    float line = clamp(0.5 - beside, 0.0, 1.0);
    float whole = clamp(rim + 0.5 - beside, 0.0, 1.0);
    vec3 line_color = ((own | other) & 1u) == 1u ? active_color : color;
    out_color = vec4(mix(RIM_COLOR.rgb, line_color, line), whole * mix(RIM_COLOR.a, 1.0, line));
}

#endif
#endif
