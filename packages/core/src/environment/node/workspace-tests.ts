import type { Folder } from '../repository-files.ts'
import { readManifest, type Manifest } from './manifest.ts'
import type { PackageManager } from './package-manager.ts'
import { scriptParts } from './script-parts.ts'
import { needsBrowser } from './runners.ts'
import { reaches, workspaceCommand, type PackageTests } from './tests-of-package.ts'

export type Workspace = { folder: string; manifest: Manifest; text: string }

/** The workspaces whose manifests can be read. */
export const workspacesOf = (folder: Folder, folders: readonly string[]): Workspace[] =>
  folders.flatMap((path) => {
    const text = folder.text(`${path}/package.json`)
    return text === null ? [] : [{ folder: path, manifest: readManifest(text), text }]
  })

const NAMES = ['test', 'test:unit', 'unit', 'test:ci']

/** Settings of Vitest and Jest that look for tests in some folders alone. */
const NARROW = /\b(?:include|dir|roots?|rootDir|testMatch|testRegex)["']?\s*:/
const SETTINGS = /^(?:vitest|vite|jest)\.(?:config|workspace)\.(?:[cm]?[jt]s|json)$/

/**
 * What runs the tests of a package's workspaces, where its own tests do not. Null: they do, or there are none. What is no
 * test, or needs a browser, is left out.
 */
export function testsOfWorkspaces(
  folder: Folder,
  root: { manifest: Manifest; manager: PackageManager; tests: PackageTests | null },
  workspaces: readonly Workspace[],
): { command: string; covers: string[] } | null {
  const count = (name: string): number => workspaces.filter(({ manifest }) => isTest(manifest, name)).length
  const script = NAMES.toSorted((a, b) => count(b) - count(a))[0] ?? 'test'
  if (count(script) === 0) return null
  const { tests } = root
  const isOpen = !isNarrow(folder)
  const named = namedProjects(folder)
  const hidden = workspaces.filter(({ folder: path, manifest }) => {
    const isLookedAt = isOpen || named.some((pattern) => isNamedBy(pattern, path))
    const lines = scriptParts(manifest.scripts, script).map(({ line }) => line)
    return isTest(manifest, script) && !(tests !== null && (tests.into || (isLookedAt && reaches(tests, lines))))
  })
  if (hidden.length === 0) return null
  const having = workspaces.filter(({ text }) => text.includes(`"${script}"`))
  const without = having.filter(({ manifest }) => !isTest(manifest, script))
  const among = { having: having.map((one) => one.folder), without: without.map((one) => one.folder) }
  const command = workspaceCommand(script, root.manifest, root.manager, folder.names, among)
  return { command, covers: workspaces.filter(({ manifest }) => isTest(manifest, script)).map((one) => one.folder) }
}

/** A placeholder is no script of a manifest. */
function isTest({ scripts }: Manifest, name: string): boolean {
  const parts = scriptParts(scripts, name)
  return parts.length > 0 && !parts.some(({ line }) => needsBrowser(line))
}

/** Vitest's projects, as its settings name them one by one. What is computed is not known. */
const PROJECTS = /\b(?:projects["']?\s*:|defineWorkspace\()\s*\[([^\]]{0,4000})\]/
const MOST_PROJECTS = 100

function namedProjects(folder: Folder): string[] {
  const files = folder.names.filter((name) => SETTINGS.test(name) && !name.startsWith('jest'))
  return files.flatMap((name) => {
    const list = PROJECTS.exec(folder.text(name) ?? '')?.[1] ?? ''
    return [...list.matchAll(/(["'])([^"'\n]{1,200})\1/g)].slice(0, MOST_PROJECTS).map(([, , pattern = '']) => pattern)
  })
}

/** `packages/*`, `./packages/core`, `packages/**`, `packages/*\/vitest.config.ts`; one that is left out (`!…`) is none. */
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
