import { shellWord } from '../../text/shell-word.ts'
import type { CommandClaim, Family, Found, Nested, ToolClaim } from '../found.ts'
import { rootTests } from './root-tests.ts'
import { usedUnasked } from './run-unasked.ts'
import { hasTestsOf } from '../files/files-of-tests.ts'

/** A project in a folder, with the commands that run unasked. They are meant for its folder. */
export type NestedProject = {
  folder: string
  /** The paths that a change of this project touches; null: any change may concern it. */
  paths: string[] | null
  setup: string[]
  test: string | null
  checks: { type: 'build' | 'lint'; command: string }[]
  tools: ToolClaim[]
}

/** For all projects together: each check runs on the base. */
const MOST_CHECKS = 36

/**
 * The projects in folders that nothing above them tests. If the root has tests, only those count that have a lock file
 * of their own or a language that the root does not test. A folder with tests answers for the folders below it. A
 * workspace that the root installs for a language is not installed again.
 */
export function nestedProjects(found: Pick<Found, 'commands' | 'nested' | 'testFiles'>): {
  projects: NestedProject[]
  /** The number of folders that are left out because there are too many. */
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

/** The root does not install a package or a module of its own, or a project with versions of its own. */
const isApart = ({ locked, apart }: Nested, family: Family): boolean =>
  locked || apart || family === 'node' || family === 'go'

/** Requirements in a folder do not prove that it has tests; if no folder shows tests, each may have some. */
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

/** The test runners of these families stop at the border of another project, unless they are told to go on. */
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

/** A package's scripts are meant as checks; a target of a Makefile may just as well build a release. */
export const checksOf = (commands: readonly CommandClaim[]): NestedProject['checks'] =>
  commands
    .filter(({ family }) => family === 'node')
    .flatMap(({ purpose, command }) => (purpose === 'build' || purpose === 'lint' ? [{ type: purpose, command }] : []))

export const inFolder = (folder: string, command: string): string =>
  folder === '' ? command : `cd ${shellWord(folder)} && ${command}`

/** Several commands in one line: each begins in the root folder, whatever the one before did. */
export const apart = (folder: string, commands: readonly string[]): string[] =>
  commands.length === 0 ? [] : [`( ${inFolder(folder, commands.join(' && '))} )`]
