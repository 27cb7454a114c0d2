import { isTestFile } from '../../files/names-of-tests.ts'
import { shellWord } from '../../text/shell-word.ts'
import { commandClaim, place, toolClaim, unreadable } from '../claims.ts'
import { jsonLine } from '../formats/json-text.ts'
import type { CommandClaim, Place, Purpose, Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { NOT_OURS } from '../files/folders-of-others.ts'
import { withoutDownloads } from '../node/browser-downloads.ts'
import { compiledBySetup } from '../node/compiled-by-setup.ts'
import { managerNames, readManifest, type Manifest } from '../node/manifest.ts'
import { installCommand, installSome, packageManager, runScript, type PackageManager } from '../node/package-manager.ts'
import { linesIn } from '../node/script-parts.ts'
import { targetOfNx } from '../node/runners.ts'
import { inAllOfNx, testsOfNx, testsOfPackage } from '../node/tests-of-package.ts'
import {
  startsBrowsers,
  testsOfWorkspaces,
  workspacesOf,
  type TestsOfWorkspaces,
  type Workspace,
} from '../node/workspace-tests.ts'
import { workspaceFolders } from '../node/workspaces.ts'

const FILE = 'package.json'

export function node(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(FILE)
  const manifest = readManifest(text)
  const manager = packageManager(folder, manifest)
  const folders = workspaceFolders(folder, manifest)
  const workspaces = workspacesOf(folder, folders)
  const placeOf = (...path: string[]): Place => place(folder, FILE, text === null ? null : jsonLine(text, path))
  const script = (purpose: Purpose) => {
    const line = manifest.scripts.get(purpose)
    if (line === undefined) return []
    const target = targetOfNx(line.trim())
    const command = target === null ? runScript(manager, purpose) : inAllOfNx(target, manager)
    return commandClaim(folder, 'node', purpose, command, placeOf('scripts', purpose), 'said')
  }
  const compiled = compiledBySetup(manifest, manager)
  const typed = folder.has('tsconfig.json') || manifest.dependencies.includes('typescript')
  return {
    tools: toolsOf(manifest, manager, workspaces, placeOf),
    commands: [
      ...commandClaim(folder, 'node', 'setup', setupOf(manifest, manager, workspaces), setupFrom(manager, folder)),
      ...script('build'),
      ...(compiled === null
        ? []
        : commandClaim(folder, 'node', 'build', compiled.command, placeOf('scripts', compiled.script), 'said')),
      ...withoutDoubles([...testsOf(folder, { manifest, manager, workspaces, placeOf }), ...script('lint')]),
    ],
    members: { family: 'node', folders: folders.map((one) => folder.at(one)) },
    techStack: [typed ? 'TypeScript' : 'JavaScript', 'Node.js'],
    notes: text !== null && !manifest.readable ? [unreadable(folder, FILE, 'a JSON object')] : [],
  }
}

/** A linter within the tests is often the script of that name. */
const withoutDoubles = (claims: readonly CommandClaim[]): CommandClaim[] =>
  claims.filter((claim, at) => claims.findIndex((other) => scriptIn(other) === scriptIn(claim)) === at)

/** `pnpm lint` and `pnpm run lint` are one script. */
const scriptIn = ({ command }: CommandClaim): string => command.replace(/^(\w+) run (?=[\w:-]+$)/, '$1 ')

type Package = {
  manifest: Manifest
  manager: PackageManager
  workspaces: readonly Workspace[]
  placeOf: (...path: string[]) => Place
}

/** The tests of the package itself, and those of workspaces that it leaves out. */
function testsOf(folder: Folder, { manifest, manager, workspaces, placeOf }: Package): CommandClaim[] {
  const hasFiles = () => hasTestFiles(folder, workspaces)
  const ofPackage = testsOfPackage(manifest, manager, hasFiles)
  const said =
    (ofPackage?.script ?? null) === null && hasProjectsOfNx(folder, manifest) && hasFiles()
      ? testsOfNx(manager)
      : ofPackage
  const tests = said !== null && startsBrowsers(said, workspaces) ? null : said
  const below = testsOfWorkspaces(folder, { manifest, manager, tests }, workspaces)
  const from = tests === null || tests.script === null ? placeOf() : placeOf('scripts', tests.script)
  const reached = tests === null || below !== null ? [] : workspaces.map((one) => one.folder)
  const own = tests === null ? [] : commandClaim(folder, 'node', 'test', tests.command, from, tests.confidence)
  const others = commandClaim(folder, 'node', 'test', below?.command ?? null, workspacesFrom(folder, placeOf), 'said')
  const at = (folders: readonly string[]) => folders.map((one) => folder.at(one))
  return [
    ...own.map((claim) => ({ ...claim, covers: at(reached), says: (tests?.lines ?? []).join('\n') })),
    ...others.map((claim) => ({ ...claim, covers: at(below?.covers ?? []), part: 'workspaces' })),
    ...(below?.apart ?? []).flatMap((one) => apartOf(folder, one)),
    ...(tests?.lints ?? []).flatMap((lint) => commandClaim(folder, 'node', 'lint', lint, from, 'said')),
  ]
}

/** Nx knows targets of projects without any script: from their `project.json`, or from its plugins. */
const hasProjectsOfNx = (folder: Folder, { dependencies }: Manifest): boolean =>
  folder.has('nx.json') && dependencies.includes('nx') && folder.below(/(?:^|\/)project\.json$/, 1).length > 0

/** Whether the package itself has test files: those of its workspaces, and browser tests, do not count. */
const hasTestFiles = (folder: Folder, workspaces: readonly Workspace[]): boolean =>
  folder
    .below(TEST_FILE, MOST_TEST_FILES)
    .some(
      (file) =>
        isTestFile(file) && !OF_OTHERS.test(file) && !workspaces.some((one) => file.startsWith(`${one.folder}/`)),
    )

const TEST_FILE = /\.[cm]?[jt]sx?$/
const OF_OTHERS = new RegExp(`(?:^|/)(?:${NOT_OURS}|e2e|playwright|cypress|fixtures?|__fixtures__)/`, 'i')
const MOST_TEST_FILES = 5000

/** A workspace that can run only in part, so a script for all workspaces does not fit. */
function apartOf(folder: Folder, { folder: path, tests }: TestsOfWorkspaces['apart'][number]): CommandClaim[] {
  const claim = (purpose: Purpose, command: string) =>
    commandClaim(
      folder,
      'node',
      purpose,
      `cd ${shellWord(path)} && ${command}`,
      place(folder, `${path}/${FILE}`),
      'said',
    )
  return [
    ...claim('test', tests.command).map((one) => ({ ...one, covers: [folder.at(path)], part: path })),
    ...(tests.lints ?? []).flatMap((lint) => claim('lint', lint)),
  ]
}

const workspacesFrom = (folder: Folder, placeOf: (...path: string[]) => Place): Place =>
  folder.has('pnpm-workspace.yaml') ? place(folder, 'pnpm-workspace.yaml') : placeOf('workspaces')

/** The package manager that installs and runs scripts, and those that scripts call: checks have no network for them. */
function toolsOf(
  { engines, runtimes, scripts }: Manifest,
  manager: PackageManager,
  workspaces: readonly Workspace[],
  placeOf: (...path: string[]) => Place,
): ToolClaim[] {
  const own = runtimes.get('node')
  const node = own ?? engines.get('node')
  const nodeFrom = own === undefined ? placeOf('engines', 'node') : placeOf('devEngines', 'runtime')
  const all = [scripts, ...workspaces.map(({ manifest }) => manifest.scripts)]
  const called = managerNames.filter((name) =>
    all.some((one) => [...one.values()].some((script) => linesIn(script).some((line) => line.startsWith(`${name} `)))),
  )
  const named = managerNames.filter((name) => name !== manager.name && (engines.has(name) || called.includes(name)))
  const isOwn = manager.name !== 'npm' || manager.version !== null
  return [
    ...toolClaim('node', node ?? null, node === undefined ? placeOf() : nodeFrom),
    ...(isOwn ? toolClaim(manager.name, manager.version ?? engines.get(manager.name) ?? null, manager.from) : []),
    ...named
      .filter((name) => name !== 'npm' || engines.has(name))
      .flatMap((name) =>
        toolClaim(name, engines.get(name) ?? null, engines.has(name) ? placeOf('engines', name) : placeOf('scripts')),
      ),
  ]
}

function setupOf(manifest: Manifest, manager: PackageManager, workspaces: readonly Workspace[]): string | null {
  const isNeeded = manager.locked || manifest.installs || workspaces.length > 0
  const dependencies = [manifest, ...workspaces.map((one) => one.manifest)].flatMap((one) => one.dependencies)
  if (!isNeeded) return null
  const tested = workspaces.filter((one) => testsOfPackage(one.manifest, manager)?.confidence === 'said')
  const some =
    tested.length < workspaces.length
      ? installSome(
          manager,
          tested.map((one) => one.folder),
        )
      : null
  const all = withoutDownloads(installCommand(manager), dependencies)
  return some === null ? all : `{ ${all} || ${withoutDownloads(some, dependencies)}; }`
}

const setupFrom = ({ lock }: PackageManager, folder: Folder): Place => place(folder, lock ?? FILE)
