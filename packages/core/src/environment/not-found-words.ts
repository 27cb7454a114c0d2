import { oneLine } from '../text/one-line.ts'
import { tools, type Tool } from './found.ts'
import { canBeHad } from './toolchains/offers.ts'
import { toolTitle } from './toolchains/toolchain-words.ts'

/** Whose toolchain has a program, where it is not called like the tool itself. */
const PROGRAMS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['npx', 'node'],
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
])

/** What a person can do about a program that nothing installed; null: nobody knows its name. */
export function notFoundWords(program: string | null): string {
  if (program === null)
    return 'A program that it starts is not installed: install it in "setup", or choose an "image" that has it, in beadloom.json.'
  const name = oneLine(program)
  const tool = PROGRAMS.get(program) ?? toolOf(program)
  if (tool === null || !canBeHad(tool))
    return `Install ${name} in "setup", or choose an "image" that has it, in beadloom.json.`
  const title = toolTitle(tool)
  const whose = title.toLowerCase() === name.toLowerCase() ? title : `${title}, which has ${name}`
  return `Ask for ${whose}: "toolchains": { "${tool}": "*" } in beadloom.json, or choose an "image" that has it there.`
}

const toolOf = (program: string): Tool | null => tools.find((tool) => tool === program) ?? null
