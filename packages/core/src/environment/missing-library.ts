import { oneLine } from '../text/one-line.ts'

/** How what builds C says that the machine lacks something; the first group is what that is. Status lines of CMake are none. */
const SAID: readonly RegExp[] = [
  /\bERROR: Dependency "([^"]{1,100})" not found/,
  /\bERROR: Dependency lookup for (\S{1,100}) with method/,
  /\bERROR: (?:Program '|C(?:\+\+)? (?:shared or static )?library ')([^']{1,100})' not found/,
  /^\s{1,8}Could NOT find (\w[\w.+-]{0,100})/,
  /\bconfiguration file provided by "([^"]{1,100})"/,
  /^\s{0,8}(?:configure: error: )?Package requirements \(([\w.+-]{1,100})/,
  /\bNo package '([^']{1,100})' found/,
  /^configure: error: "?([\w.+-]{1,60}) (?:library |headers? |was |is )?(?:not found|required|missing|needed)\b/i,
  // It would fetch it from elsewhere, and cannot.
  /^Looking for a fallback subproject for the dependency (\S{1,100})/,
]

/** Debian's packages for what is asked for most, by the names that pkg-config, CMake and Meson know. */
const PACKAGES: readonly [name: RegExp, debian: string][] = [
  [/^(?:glib|gio|gobject|gmodule|gthread)(?:-unix)?-2\.0$/, 'libglib2.0-dev'],
  [/^libxml-?2(?:\.0)?$/i, 'libxml2-dev'],
  [/^sqlite-?3$/i, 'libsqlite3-dev'],
  [/^(?:x11|xext)$/i, 'libx11-dev'],
  [/^cairo$/i, 'libcairo2-dev'],
  [/^freetype2?$/i, 'libfreetype-dev'],
  [/^libpng(?:16)?$|^png$/i, 'libpng-dev'],
  [/^(?:libjpeg|jpeg)$/i, 'libjpeg-dev'],
  [/^ncursesw?$|^curses$/i, 'libncurses-dev'],
  [/^readline$/i, 'libreadline-dev'],
  [/^(?:lib)?lz4$/i, 'liblz4-dev'],
  [/^(?:lib)?zstd$/i, 'libzstd-dev'],
  [/^(?:lib)?lzma$/i, 'liblzma-dev'],
  [/^bzip2$/i, 'libbz2-dev'],
  [/^libuv$/i, 'libuv1-dev'],
  [/^libevent$/i, 'libevent-dev'],
  [/^dbus-1$/, 'libdbus-1-dev'],
  [/^libusb(?:-1\.0)?$/i, 'libusb-1.0-0-dev'],
  [/^boost$/i, 'libboost-all-dev'],
  [/^sdl2$/i, 'libsdl2-dev'],
  [/^protobuf$/i, 'libprotobuf-dev protobuf-compiler'],
  [/^(?:postgresql|libpq)$/i, 'libpq-dev'],
  [/^doxygen$/i, 'doxygen'],
]

const LONGEST_LINE = 1000

/** Of what `setup` printed: a library or a program that the build asks for. Null: it says nothing of that kind. */
export function missingLibrary(output: string): string | null {
  const lines = output.split('\n').map((line) => line.slice(0, LONGEST_LINE))
  for (const pattern of SAID)
    for (const line of lines) {
      const name = pattern.exec(line)?.[1]
      if (name !== undefined) return missingWords(oneLine(name))
    }
  return null
}

function missingWords(name: string): string {
  const debian = PACKAGES.find(([pattern]) => pattern.test(name))?.[1]
  const installs = debian === undefined ? 'installs it' : `installs it (Debian: ${debian})`
  return `The build asks for ${name}, which Beadloom's image does not have: name a "dockerfile" that ${installs}, or an "image" that has it, in beadloom.json.`
}
