import { shellWord } from '../../text/shell-word.ts'
import type { CommandClaim } from '../found.ts'
import { apart, type NestedProject } from './nested-projects.ts'
import { languageOf, type RootTest } from './root-tests.ts'

/**
 * The setup of each of the root's languages. A language without tests here, such as a linter for the pages of a Rust
 * project, does not stop the others when its setup fails.
 */
export function rootSetups(commands: readonly CommandClaim[], tests: readonly RootTest[]): string[] {
  const tested = new Set(tests.map(({ claim }) => languageOf(claim.family)))
  return commands
    .filter(({ purpose }) => purpose === 'setup')
    .map(({ family, command }) => {
      const language = languageOf(family)
      if (family === 'devcontainer' || tested.size === 0 || tested.has(language)) return command
      return `{ ( ${command} ) || echo ${shellWord(`${language}: ${FAILED}`)} >&2; }`
    })
}

/**
 * The setup of the root and the projects below it, as one line. The root's own has to succeed. A folder whose setup
 * fails does not stop the others: its checks fail, and name it. If all of several folders fail, the setup fails.
 *
 * @param own the root's setup commands, in order
 */
export function setupLine(
  own: readonly string[],
  nested: readonly Pick<NestedProject, 'folder' | 'setup'>[],
): string | null {
  const below = nested.flatMap(({ folder, setup }) => apart(folder, setup).map((line) => ({ folder, line })))
  if (own.length + below.length === 0) return null
  if (own.length > 0) return [...own, ...(below.length === 0 ? [] : [`{ ${each(below, '')} }`])].join(' && ')
  if (below.length === 1) return below[0]!.line
  return `{ some=; ${each(below, ' && some=1')} [ -n "$some" ]; }`
}

const each = (below: readonly { folder: string; line: string }[], then: string): string =>
  below.map(({ folder, line }) => `${line}${then} || echo ${shellWord(`${folder}: ${FAILED}`)} >&2;`).join(' ')

const FAILED = 'setup failed; that of the others goes on'
