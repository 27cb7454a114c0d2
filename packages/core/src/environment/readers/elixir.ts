import { commandClaim, place, toolClaim } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import type { Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const FILE = 'mix.exs'

const HEX = 'mix local.hex --force && mix local.rebar --force && mix deps.get && '
/** `{:jason, "~> 1.4"}`, `{:own, path: "../own"}`: without any dependency, Hex is not needed. */
const DEPENDENCY = /\{\s{0,5}:\w{1,60}\s{0,5},\s{0,5}(?:"|~|\w{1,20}:)/

export function elixir(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const lines = linesOf(folder.text(FILE) ?? '').map((line) => line.slice(0, 300))
  const at = lines.findIndex((line) => /^\s{0,40}elixir:\s{0,5}"/.test(line))
  const version = /elixir:\s{0,5}"([^"]{1,40})"/.exec(lines[at] ?? '')?.[1] ?? null
  const needsHex = folder.has('mix.lock') || lines.some((line) => DEPENDENCY.test(line)) || folder.text(FILE) === null
  const command = (purpose: 'setup' | 'test', line: string) =>
    commandClaim(folder, 'elixir', purpose, line, place(folder, FILE))
  return {
    tools: toolClaim('elixir', version, place(folder, FILE, at === -1 ? null : at + 1)),
    commands: [
      ...command('setup', `${needsHex ? HEX : ''}MIX_ENV=test mix compile`),
      // `--trace` names the tests that pass. They then run one after the other, with no time limit but the check's.
      ...command('test', 'mix test --trace'),
      ...(folder.has('.formatter.exs')
        ? commandClaim(folder, 'elixir', 'lint', 'mix format --check-formatted', place(folder, '.formatter.exs'))
        : []),
    ],
    techStack: ['Elixir'],
  }
}
