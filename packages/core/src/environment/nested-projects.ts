import { shellWord } from '../text/shell-word.ts'
import type { CommandClaim, Found, ToolClaim } from './found.ts'
import { usedUnasked } from './run-unasked.ts'

/** A project in a folder, as far as its commands run unasked. They are meant for its folder. */
export type NestedProject = {
  folder: string
  /** What a change touches when it is about this project; null: any change may be. */
  paths: string[] | null
  setup: string[]
  test: string | null
  checks: { type: 'build' | 'lint'; command: string }[]
  tools: ToolClaim[]
}

/** Each may have three checks, and all of them run on the base. */
const MOST = 12

/**
 * The projects of a repository that has no command for all of them. Where the root has tests, these are the tests; where a
 * folder has some, the folders below are its own affair. What the root has installed for a language (a workspace) is not
 * installed again.
 */
export function nestedProjects({ commands, nested }: Pick<Found, 'commands' | 'nested'>): {
  projects: NestedProject[]
  /** Folders that are too many. */
  left: number
} {
  const own = usedUnasked(commands)
  const root = own.filter(({ folder }) => folder === '')
  if (root.some(({ purpose }) => purpose === 'test')) return { projects: [], left: 0 }
  const installed = new Set(root.filter(({ purpose }) => purpose === 'setup').map(({ family }) => family))
  const tested: string[] = []
  const all = nested.flatMap(({ folder, tools, alone }): NestedProject[] => {
    if (tested.some((above) => folder.startsWith(`${above}/`))) return []
    const here = own.filter((claim) => claim.folder === folder)
    const test = here.find(({ purpose }) => purpose === 'test')?.command ?? null
    if (test !== null) tested.push(folder)
    const setup = here.filter(({ purpose, family }) => purpose === 'setup' && !installed.has(family))
    const checks = checksOf(here)
    if (test === null && checks.length === 0) return []
    return [{ folder, paths: alone ? [folder] : null, setup: setup.map(({ command }) => command), test, checks, tools }]
  })
  const some = all.some(({ test }) => test !== null) ? all : []
  return { projects: some.slice(0, MOST), left: Math.max(0, some.length - MOST) }
}

/** Scripts of a package are made to be checks; a target of a Makefile may just as well build a release. */
export const checksOf = (commands: readonly CommandClaim[]): NestedProject['checks'] =>
  commands
    .filter(({ family }) => family === 'node')
    .flatMap(({ purpose, command }) => (purpose === 'build' || purpose === 'lint' ? [{ type: purpose, command }] : []))

export const inFolder = (folder: string, command: string): string =>
  folder === '' ? command : `cd ${shellWord(folder)} && ${command}`

/** Several in one line: each begins in the root folder, whatever the one before did. */
export const apart = (folder: string, commands: readonly string[]): string[] =>
  commands.length === 0 ? [] : [`( ${inFolder(folder, commands.join(' && '))} )`]
