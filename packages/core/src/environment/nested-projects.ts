import { shellWord } from '../text/shell-word.ts'
import type { CommandClaim, Family, Found, Nested, ToolClaim } from './found.ts'
import { rootTests } from './root-tests.ts'
import { usedUnasked } from './run-unasked.ts'
import { hasTestsOf } from './files-of-tests.ts'

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

/** All projects together: each check runs on the base. */
const MOST_CHECKS = 36

/**
 * The projects in folders that nothing above them tests. Beside tests of the root those count that have a lock file of their
 * own, or a language that the root does not test; where a folder has tests, the folders below are its own affair. What the
 * root has installed for a language (a workspace) is not installed again.
 */
export function nestedProjects(found: Pick<Found, 'commands' | 'nested' | 'testFiles'>): {
  projects: NestedProject[]
  /** Folders that are too many. */
  left: number
} {
  const own = usedUnasked(found.commands)
  const root = rootTests(found).map(({ claim }) => claim)
  const installed = new Set(
    own.filter(({ folder, purpose }) => folder === '' && purpose === 'setup').map(({ family }) => family),
  )
  const tests = testsBelow(own, found, root.length > 0)
  const tested: string[] = []
  const all = found.nested.flatMap((project): NestedProject[] => {
    const { folder, tools, alone, member, locked } = project
    if (!project.apart && tested.some((above) => folder.startsWith(`${above}/`))) return []
    const here = own.filter((claim) => claim.folder === folder)
    const claim = tests.find((one) => one.folder === folder)
    const covered = claim !== undefined && isCovered(claim, project, root)
    const test = covered ? null : (claim?.command ?? null)
    if (claim !== undefined) tested.push(folder)
    const setup = here.filter(
      ({ purpose, family }) => purpose === 'setup' && !(member || (installed.has(family) && !isApart(project, family))),
    )
    const checks = covered || (root.length > 0 && test === null) ? [] : checksOf(here)
    const isNeeded = test !== null || checks.length > 0 || (covered && locked && !member && setup.length > 0)
    if (!isNeeded) return []
    return [{ folder, paths: alone ? [folder] : null, setup: setup.map(({ command }) => command), test, checks, tools }]
  })
  const some = root.length > 0 || all.some(({ test }) => test !== null) ? all : []
  const projects = some.slice(0, fitting(some))
  return { projects, left: some.length - projects.length }
}

function fitting(projects: readonly NestedProject[]): number {
  let checks = 0
  const over = projects.findIndex((one) => (checks += one.checks.length + (one.test === null ? 0 : 1)) > MOST_CHECKS)
  return over === -1 ? projects.length : over
}

/** A package or a module of its own, or a project with versions of its own, is nothing that the root installs. */
const isApart = ({ locked, apart }: Nested, family: Family): boolean =>
  locked || apart || family === 'node' || family === 'go'

/** That a folder has requirements does not say that it has tests; where nothing says so, it may have some. */
function testsBelow(
  own: readonly CommandClaim[],
  { testFiles }: Pick<Found, 'testFiles'>,
  root: boolean,
): CommandClaim[] {
  const tests = own.filter(({ folder, purpose }) => folder !== '' && purpose === 'test')
  const shown = tests.filter(
    ({ confidence, family, folder }) => confidence === 'said' || hasTestsOf(testFiles, folder, family),
  )
  return root || shown.length > 0 ? shown : tests.filter(({ family }) => family !== 'node')
}

/** What tests such a project stops where another one begins, unless it is told to go on. */
const APART: ReadonlySet<Family> = new Set<Family>(['node', 'deno', 'go', 'ruby'])

function isCovered(
  { folder, family }: CommandClaim,
  { locked, apart }: Nested,
  root: readonly CommandClaim[],
): boolean {
  if (apart) return false
  if (root.some(({ covers = [] }) => covers.includes(folder))) return true
  return !APART.has(family) && !locked && root.some((claim) => claim.family === family)
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
