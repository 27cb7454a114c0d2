import { oneLine } from '../../text/one-line.ts'
import type { DevcontainerPlan } from '../devcontainer/devcontainer-plan.ts'
import { tools, type Tool } from '../found.ts'
import { canBeHad } from '../toolchains/offers.ts'
import { toolTitle } from '../toolchains/toolchain-words.ts'

/** The toolchain of a program whose name differs from the tool's. */
const PROGRAMS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['npm', 'node'],
  ['npx', 'node'],
  ['corepack', 'node'],
  ['pnpx', 'pnpm'],
  ['yarnpkg', 'yarn'],
  ['bunx', 'bun'],
  ['pip', 'python'],
  ['pip3', 'python'],
  ['python3', 'python'],
  ['uvx', 'uv'],
  ['gofmt', 'go'],
  ['cargo', 'rust'],
  ['rustc', 'rust'],
  ['javac', 'java'],
  ['mvn', 'maven'],
  ['gem', 'ruby'],
  ['rake', 'ruby'],
  ['bundle', 'ruby'],
  ['mix', 'elixir'],
  ['iex', 'elixir'],
  ['erl', 'erlang'],
  ['rebar3', 'erlang'],
  ['cc', 'c'],
  ['gcc', 'c'],
  ['g++', 'c'],
  ['c++', 'c'],
  ['ninja', 'c'],
  ['ctest', 'cmake'],
  ['cpack', 'cmake'],
  ['autoconf', 'autotools'],
  ['autoreconf', 'autotools'],
  ['automake', 'autotools'],
  ['aclocal', 'autotools'],
  ['libtoolize', 'autotools'],
  ['lein', 'leiningen'],
  ['clj', 'clojure'],
  ['ghc', 'haskell'],
  ['cabal', 'haskell'],
  ['dune', 'ocaml'],
  ['opam', 'ocaml'],
  ['cpanm', 'perl'],
  ['prove', 'perl'],
  ['Rscript', 'r'],
])

/** An image that the project has chosen; Beadloom installs nothing in it. */
export type OwnImage = { is: 'image' | 'dockerfile' | 'devcontainer'; /** The file that makes it. */ file: string }

type Settings = {
  image: string | null
  dockerfile: string | null
  devcontainer: Pick<DevcontainerPlan, 'file' | 'image' | 'dockerfile'> | null
}

/** Null: it is Beadloom's own, with the toolchains that the files ask for. */
export function ownImageOf({ image, dockerfile, devcontainer }: Settings): OwnImage | null {
  if (image !== null) return { is: 'image', file: 'beadloom.json' }
  if (dockerfile !== null) return { is: 'dockerfile', file: dockerfile }
  return devcontainer?.image || devcontainer?.dockerfile ? { is: 'devcontainer', file: devcontainer.file } : null
}

/**
 * Advice for getting a missing program.
 *
 * @param program null: its name is unknown
 */
export function notFoundWords(program: string | null, own: OwnImage | null = null): string {
  const name = program === null ? null : oneLine(program)
  const tool = program === null ? null : (PROGRAMS.get(program) ?? toolOf(program))
  const asked = tool !== null && name !== null && canBeHad(tool) ? askedFor(tool, name) : null
  if (own !== null) return `${inOwn(own, name ?? 'a program that it starts')}${asked ? insteadOf(own, asked) : ''}.`
  if (asked !== null) return `Ask for ${asked} in beadloom.json, or choose an "image" that has it there.`
  return `${name === null ? 'A program that it starts is not installed: install it' : `Install ${name}`} in "setup", or choose an "image" that has it, in beadloom.json.`
}

function inOwn({ is, file }: OwnImage, name: string): string {
  if (is === 'image') return `Choose an "image" in ${file} that has ${name}`
  return is === 'dockerfile' ? `Install ${name} in ${oneLine(file)}` : `Add ${name} to the image of ${oneLine(file)}`
}

/** "toolchains" and an image of one's own exclude each other; a devcontainer's image gives way by itself. */
const insteadOf = ({ is }: OwnImage, asked: string): string =>
  is === 'devcontainer'
    ? `, or have Beadloom's own image instead: ask for ${asked} in beadloom.json`
    : `, or have Beadloom's own instead: leave out "${is}" in beadloom.json and ask for ${asked}`

function askedFor(tool: Tool, name: string): string {
  const title = toolTitle(tool)
  const whose = title.toLowerCase() === name.toLowerCase() ? title : `${title}, which has ${name}`
  return `${whose}: "toolchains": { "${tool}": "*" }`
}

const toolOf = (program: string): Tool | null => tools.find((tool) => tool === program) ?? null
