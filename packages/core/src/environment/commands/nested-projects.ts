import { shellWord } from '../../text/shell-word.ts'
import type { CommandClaim, Family, Found, Nested, ToolClaim } from '../found.ts'
import { firstOfEach, labelled, languageOf, RECIPES, rootTests } from './root-tests.ts'
import { usedUnasked } from './run-unasked.ts'
import { isWithin } from '../readers/python/limited-tests.ts'
import { hasTestsOf } from '../files/files-of-tests.ts'

/** A project in a folder, with the commands that run unasked. They are meant for its folder. */
export type NestedProject = {
  folder: string
  /** The paths that a change of this project touches; null: any change may concern it. */
  paths: string[] | null
  setup: string[]
  /** A command for each language, and for each part of one. `label` tells it from the others. */
  tests: { label: string; command: string }[]
  checks: { type: 'build' | 'lint'; command: string }[]
  tools: ToolClaim[]
}

/** For all projects together: each check runs on the base. */
const MOST_CHECKS = 36

/**
 * The projects in folders that nothing above them tests. If the root has tests, only those count that have a lock file
 * of their own or a language that the root does not test. A folder with tests answers for the folders below it, but for modules of Go. A
 * workspace that the root installs for a language is not installed again.
 */
export function nestedProjects(found: Pick<Found, 'commands' | 'nested' | 'testFiles' | 'unread'>): {
  projects: NestedProject[]
  /** Folders whose tests do not run, because there are too many of them, or they are too deep. */
  left: string[]
} {
  const own = usedUnasked(found.commands)
  const root = rootTests(found).map(({ claim }) => claim)
  const installed = new Set(
    own.filter(({ folder, purpose }) => folder === '' && purpose === 'setup').map(({ family }) => family),
  )
  const tests = testsBelow(own, found, root.length > 0)
  const tested: string[] = []
  const all = found.nested.flatMap((project): NestedProject[] => {
    const { folder, tools, alone, members, locked } = project
    const here = own.filter((claim) => claim.folder === folder)
    const claims = tests.filter((one) => one.folder === folder)
    const isModule = claims.some(({ family }) => family === 'go')
    if (!project.apart && !isModule && tested.some((above) => folder.startsWith(`${above}/`))) return []
    const run = claims.filter((claim) => !isCovered(claim, project, root))
    const covered = claims.length > 0 && run.length === 0
    if (claims.length > 0) tested.push(folder)
    const isInstalled = (family: Family): boolean =>
      members.includes(family) || (installed.has(family) && !isApart(project, family) && !hasOwn(run, family))
    const setup = here.filter(({ purpose, family }) => purpose === 'setup' && !isInstalled(family))
    const checks = covered || (root.length > 0 && run.length === 0) ? [] : checksOf(here)
    const isNeeded = run.length > 0 || checks.length > 0 || (covered && locked && setup.length > 0)
    if (!isNeeded) return []
    return [
      {
        folder,
        paths: alone ? [folder] : null,
        setup: setup.map(({ command }) => command),
        tests: labelled(run).map(({ label, claim }) => ({ label, command: claim.command })),
        checks,
        tools,
      },
    ]
  })
  const some = root.length > 0 || all.some((one) => one.tests.length > 0) ? all : []
  const projects = some.slice(0, fitting(some))
  if (root.length === 0 && projects.length === 0) return { projects, left: [] }
  const unread = found.unread.filter(({ folder, families, locked }) => {
    // A folder with tests answers for the folders below it, except for modules of Go.
    const own = families.filter((family) => family === 'go' || !tested.some((above) => folder.startsWith(`${above}/`)))
    return own.some((family) => !isCovered({ folder, family }, { locked, apart: false }, root))
  })
  return { projects, left: [...some.slice(projects.length), ...unread].map(({ folder }) => folder) }
}

/** The same folders, if some of their files are known to be tests. */
export function untestedFolders(found: Parameters<typeof nestedProjects>[0]): string[] {
  const { left } = nestedProjects(found)
  const shown = new Set([...found.testFiles, ...found.unread].map(({ folder }) => folder))
  return left.filter((folder) => shown.has(folder)).slice(0, MOST_LEFT)
}

const MOST_LEFT = 1000

function fitting(projects: readonly NestedProject[]): number {
  let checks = 0
  const over = projects.findIndex((one) => (checks += one.checks.length + one.tests.length) > MOST_CHECKS)
  return over === -1 ? projects.length : over
}

/** The root does not install a package or a module of its own, or a project with versions of its own. */
const isApart = ({ locked, apart }: Nested, family: Family): boolean =>
  locked || apart || family === 'node' || family === 'go'

/** Tests of Python that run in a folder use the environment in it. */
const hasOwn = (run: readonly CommandClaim[], family: Family): boolean =>
  family === 'python' && run.some((claim) => claim.family === family)

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
  if (root || shown.length > 0) return eachLanguage(shown)
  return firstOfFolder(tests.filter(({ family }) => family !== 'node'))
}

/** A recipe runs what the language has a command for. */
const eachLanguage = (tests: readonly CommandClaim[]): CommandClaim[] =>
  [...new Set(tests.map(({ folder }) => folder))].flatMap((folder) => {
    const here = tests.filter((one) => one.folder === folder)
    const ofLanguages = firstOfEach(here.filter(({ family }) => !RECIPES.has(family)))
    return ofLanguages.length > 0 ? ofLanguages : here.slice(0, 1)
  })

const firstOfFolder = (tests: readonly CommandClaim[]): CommandClaim[] =>
  tests.filter(({ folder }, at) => tests.findIndex((one) => one.folder === folder) === at)

/** The test runners of these families stop at the border of another project, unless they are told to go on. */
const APART: ReadonlySet<Family> = new Set<Family>(['node', 'deno', 'go', 'ruby'])

function isCovered(
  { folder, family }: Pick<CommandClaim, 'folder' | 'family'>,
  { locked, apart }: Pick<Nested, 'locked' | 'apart'>,
  root: readonly CommandClaim[],
): boolean {
  if (apart) return false
  if (root.some(({ names = [] }) => names.includes(folder))) return true
  const isOfIts = (claim: CommandClaim) => languageOf(claim.family) === languageOf(family)
  if (root.some((claim) => isOfIts(claim) && claim.covers?.includes(folder))) return true
  const isReached = ({ limits }: CommandClaim) => limits === undefined || isWithin(folder, limits)
  return !APART.has(family) && !locked && root.some((claim) => claim.family === family && isReached(claim))
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
