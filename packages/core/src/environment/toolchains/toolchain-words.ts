import type { Place, Tool, ToolClaim } from '../found.ts'
import type { Toolchain } from './offer.ts'

const TITLES: Readonly<Record<Tool, string>> = {
  node: 'Node.js',
  npm: 'npm',
  pnpm: 'pnpm',
  yarn: 'Yarn',
  bun: 'Bun',
  deno: 'Deno',
  python: 'Python',
  poetry: 'Poetry',
  uv: 'uv',
  pdm: 'PDM',
  pipenv: 'Pipenv',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  maven: 'Maven',
  gradle: 'Gradle',
  dotnet: '.NET',
  ruby: 'Ruby',
  bundler: 'Bundler',
  php: 'PHP',
  composer: 'Composer',
  elixir: 'Elixir',
  erlang: 'Erlang',
  c: 'GCC (C and C++)',
  cmake: 'CMake',
  meson: 'Meson',
  autotools: 'Autoconf and Automake',
  swift: 'Swift',
  zig: 'Zig',
  dart: 'Dart',
  just: 'just',
  sbt: 'sbt (Scala)',
  leiningen: 'Leiningen (Clojure)',
  clojure: 'the Clojure CLI',
  haskell: 'GHC and Cabal (Haskell)',
  stack: 'Stack (Haskell)',
  ocaml: 'OCaml',
  perl: 'Perl',
  r: 'R',
  julia: 'Julia',
}

export const toolTitle = (tool: Tool): string => TITLES[tool]

const at = ({ file, line }: Place): string => (line === null ? file : `${file}:${line}`)

const asked = (tool: Tool, version: string | null, least: boolean): string =>
  `${TITLES[tool]}${version === null ? '' : ` ${version}`}${least ? ' or newer' : ''}`

/** "Go 1.24 from Debian 13, for Go 1.22 or newer (go.mod:3)". */
export const toolchainWords = ({ tool, version, from, wanted, least, place, fits }: Toolchain): string =>
  `${TITLES[tool]} ${version} from ${from}, for ${asked(tool, wanted, least)} (${at(place)})${fits ? '' : ': the nearest available'}`

/**
 * Says how a person can get the exact version if only a near one is available.
 *
 * @param official an image that has it
 */
export const nearestWords = (
  { tool, version, wanted, least, place }: Toolchain,
  official: string | null = null,
): string =>
  `${at(place)} asks for ${asked(tool, wanted, least)}, and the nearest available here is ${version}: name an "image"${official === null ? '' : ` (${official})`} or a "dockerfile" that has it, or another version in "toolchains", in beadloom.json.`

/** @param official an image that has it */
export const missingWords = ({ tool, version, least, from }: ToolClaim, official: string | null): string =>
  `${at(from)} asks for ${asked(tool, version, least)}, which neither Debian nor a registry that Beadloom knows has: ${
    tool === 'gradle' ? 'commit its wrapper (gradlew, and gradle/wrapper/gradle-wrapper.jar)' : 'name an "image"'
  }${official !== null && tool !== 'gradle' ? ` (${official})` : ''} or a "dockerfile" that has it in beadloom.json.`

/** The problems with an image's toolchains; empty: there are none. */
export const toolchainTroubles = ({
  toolchains,
  missing,
  official,
}: {
  toolchains: readonly Toolchain[]
  missing: readonly string[]
  official?: string | null
}): string[] => {
  const near = toolchains.filter(({ fits }) => !fits)
  // An image has one language: with several problems, nobody could tell which one it solves.
  return [...missing, ...near.map((one) => nearestWords(one, near.length === 1 ? official : null))]
}
