import type { Folder } from '../files/repository-files.ts'
import { readManifest, type Manifest } from './manifest.ts'
import type { PackageManager } from './package-manager.ts'
import { scriptParts } from './script-parts.ts'
import { chosenIn, isRunner, looksEverywhere, needsBrowser, scriptOfAll, testsNothing } from './runners.ts'
import { reaches, testsOfPackage, workspaceCommand, type PackageTests } from './tests-of-package.ts'

export type Workspace = { folder: string; manifest: Manifest; text: string }

/** The workspaces whose manifests can be read. */
export const workspacesOf = (folder: Folder, folders: readonly string[]): Workspace[] =>
  folders.flatMap((path) => {
    const text = folder.text(`${path}/package.json`)
    return text === null ? [] : [{ folder: path, manifest: readManifest(text), text }]
  })

const NAMES = ['test', 'test:unit', 'unit', 'test:ci']

/** Settings of Vitest and Jest that limit the folders of tests. */
const NARROW = /\b(?:include|dir|roots?|rootDir|testMatch|testRegex)["']?\s*:/
const SETTINGS = /^(?:vitest|vite|jest)\.(?:config|workspace)\.(?:[cm]?[jt]s|json)$/

/**
 * `command` runs one script in all workspaces that have it. `apart`: workspaces whose tests it misses, or whose script
 * needs a browser.
 */
export type TestsOfWorkspaces = {
  command: string | null
  covers: string[]
  apart: { folder: string; tests: PackageTests }[]
}

/**
 * The tests of a package's workspaces, if its own tests leave them out. Null: its tests include them, or there are
 * none. Scripts that are no tests, or need a browser, are left out.
 */
export function testsOfWorkspaces(
  folder: Folder,
  root: { manifest: Manifest; manager: PackageManager; tests: PackageTests | null },
  workspaces: readonly Workspace[],
): TestsOfWorkspaces | null {
  const count = (name: string): number =>
    workspaces.filter(({ manifest }) => isTest(manifest, name) || isInBrowser(manifest, name)).length
  const script = NAMES.toSorted((a, b) => count(b) - count(a))[0] ?? 'test'
  if (count(script) === 0) return null
  const { tests } = root
  const isOpen = !isNarrow(folder)
  const named = namedProjects(folder)
  const hidden = workspaces.filter((one) => {
    const { folder: path, manifest } = one
    const isLookedAt = isOpen || named.some((pattern) => isNamedBy(pattern, path))
    const lines = scriptParts(manifest.scripts, script).map(({ line }) => line)
    if (!isTest(manifest, script)) return false
    return tests === null || !(tests.into || chooses(tests, one) || (isLookedAt && reaches(tests, lines)))
  })
  const apart = testedApart(script, root, workspaces)
  if (hidden.length === 0 && apart.length === 0) return null
  const having = workspaces.filter(({ text }) => text.includes(`"${script}"`))
  const without = having.filter(({ manifest }) => !isTest(manifest, script))
  const among = { having: having.map((one) => one.folder), without: without.map((one) => one.folder) }
  const command =
    hidden.length === 0 ? null : workspaceCommand(script, root.manifest, root.manager, folder.names, among)
  const covers = having.filter(({ manifest }) => isTest(manifest, script)).map((one) => one.folder)
  return { command, covers: [...covers, ...apart.map((one) => one.folder)], apart }
}

/** Whether the root's tests name a workspace: by its folder, or its name with or without the scope. */
function chooses({ lines }: PackageTests, { folder, text }: Workspace): boolean {
  const name = /"name"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1] ?? folder
  const own = [folder, name, name.replace(/^@[^/]*\//, '')]
  return lines.flatMap(chosenIn).some((chosen) => own.includes(chosen.replace(/^\.\//, '').replace(/\/$/, '')))
}

const MOST_APART = 10

/**
 * The tests of workspaces that the common script misses, because there it needs a browser, only lints, or is absent.
 * Tests that the root's own tests include are left out.
 */
function testedApart(
  script: string,
  { manager, tests }: { manager: PackageManager; tests: PackageTests | null },
  workspaces: readonly Workspace[],
): TestsOfWorkspaces['apart'] {
  return workspaces
    .flatMap(({ folder, manifest }) => {
      const inBrowser = isInBrowser(manifest, script)
      if (!inBrowser && testsSomething(manifest, script)) return []
      const own = testsOfPackage(manifest, manager)
      if (own === null || own.confidence === 'hint') return []
      if (!inBrowser && !isNamedTest(own)) return []
      const isRun = tests !== null && (inBrowser ? reaches(tests, own.lines) : runsAlso(tests, own))
      return isRun ? [] : [{ folder, tests: own }]
    })
    .slice(0, MOST_APART)
}

/** Scripts with other names may need a database, or a network. */
const isNamedTest = ({ script, lines }: PackageTests): boolean =>
  script !== null && NAMES.includes(script) && lines.some(isRunner)

const testsSomething = ({ scripts }: Manifest, name: string): boolean =>
  scriptParts(scripts, name).some(({ line }) => !testsNothing(line))

/** Whether the root's tests run another script of a workspace: by its name, or because their runner looks everywhere. */
const runsAlso = (tests: PackageTests, own: PackageTests): boolean =>
  tests.lines.some((line) => line.split(/[\s,=]+/).includes(own.script ?? '')) ||
  (tests.lines.some(looksEverywhere) && reaches({ ...tests, into: false }, own.lines))

/** Whether the root starts one script in all workspaces and it needs a browser in one of them: then it is no test. */
export function startsBrowsers({ lines }: PackageTests, workspaces: readonly Workspace[]): boolean {
  const [only, ...more] = lines
  const script = only === undefined || more.length > 0 ? null : (scriptOfAll(only) ?? scriptOfTurbo(only))
  return script !== null && workspaces.some(({ manifest }) => isInBrowser(manifest, script))
}

const scriptOfTurbo = (line: string): string | null =>
  /^(?:npx )?turbo (?:run )?([\w:-]{1,60})(?: --?[a-z-]+(?:=\S{1,40})?){0,6}$/.exec(line)?.[1] ?? null

const isInBrowser = ({ scripts }: Manifest, name: string): boolean =>
  scriptParts(scripts, name).some(({ line }) => needsBrowser(line))

/** Placeholders need no check: a `Manifest` does not list them. */
function isTest({ scripts }: Manifest, name: string): boolean {
  const parts = scriptParts(scripts, name)
  return parts.length > 0 && !parts.some(({ line }) => needsBrowser(line))
}

/** The projects that Vitest's settings name one by one. Computed ones stay unknown. */
const PROJECTS = /\b(?:projects["']?\s*:|defineWorkspace\()\s*\[([^\]]{0,4000})\]/
const MOST_PROJECTS = 100

function namedProjects(folder: Folder): string[] {
  const files = folder.names.filter((name) => SETTINGS.test(name) && !name.startsWith('jest'))
  return files.flatMap((name) => {
    const list = PROJECTS.exec(folder.text(name) ?? '')?.[1] ?? ''
    return [...list.matchAll(/(["'])([^"'\n]{1,200})\1/g)].slice(0, MOST_PROJECTS).map(([, , pattern = '']) => pattern)
  })
}

/** `packages/*`, `./packages/core`, `packages/**`, `packages/*\/vitest.config.ts`; `!…` never matches. */
function isNamedBy(pattern: string, path: string): boolean {
  const words = pattern
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .replace(/\/vite(?:st)?\.config\..{1,30}$/, '')
    .split('/')
  const parts = path.split('/')
  if (words.at(-1) === '**')
    return words.length - 1 < parts.length && words.slice(0, -1).every((word, at) => fits(word, parts[at]))
  return words.length === parts.length && words.every((word, at) => fits(word, parts[at]))
}

const fits = (word: string, part = ''): boolean =>
  word === part || (word.endsWith('*') && !word.slice(0, -1).includes('*') && part.startsWith(word.slice(0, -1)))

const isNarrow = (folder: Folder): boolean =>
  NARROW.test(/"jest"\s*:\s*\{[^}]{0,2000}/.exec(folder.text('package.json') ?? '')?.[0] ?? '') ||
  folder.names.filter((name) => SETTINGS.test(name)).some((name) => NARROW.test(folder.text(name) ?? ''))
