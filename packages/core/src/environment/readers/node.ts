import { commandClaim, place, toolClaim, unreadable } from '../claims.ts'
import { jsonLine } from '../formats/json-text.ts'
import type { Place, Purpose, Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../repository-files.ts'
import { readManifest, type Manifest } from './node-manifest.ts'

const FILE = 'package.json'

export function node(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(FILE)
  const manifest = readManifest(text)
  const placeOf = (...path: string[]): Place => place(folder, FILE, text === null ? null : jsonLine(text, path))
  const script = (purpose: Purpose, command: string) =>
    manifest.scripts.has(purpose)
      ? commandClaim(folder, 'node', purpose, command, placeOf('scripts', purpose), 'said')
      : []
  const setup = setupOf(folder, manifest)
  const typed = folder.has('tsconfig.json') || manifest.dependencies.includes('typescript')
  return {
    tools: toolsOf(manifest, placeOf),
    commands: [
      ...commandClaim(folder, 'node', 'setup', setup?.command ?? null, place(folder, setup?.file ?? FILE)),
      ...script('build', 'npm run build'),
      // `npm test` runs the script whichever package manager installed, and unlike `npx pnpm` needs no network.
      ...script('test', 'npm test'),
      ...script('lint', 'npm run lint'),
    ],
    techStack: [typed ? 'TypeScript' : 'JavaScript', 'Node.js'],
    notes: text !== null && !manifest.readable ? [unreadable(folder, FILE, 'a JSON object')] : [],
  }
}

function toolsOf({ engines, packageManager }: Manifest, placeOf: (...path: string[]) => Place): ToolClaim[] {
  const node = engines.get('node')
  const manager = packageManager && isManager(packageManager.name) ? packageManager.name : null
  return [
    ...toolClaim('node', node ?? null, node === undefined ? placeOf() : placeOf('engines', 'node')),
    ...(manager ? toolClaim(manager, packageManager?.version ?? null, placeOf('packageManager')) : []),
    ...managers.flatMap((name) =>
      name === manager || !engines.has(name)
        ? []
        : toolClaim(name, engines.get(name) ?? null, placeOf('engines', name)),
    ),
  ]
}

const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const
const isManager = (name: string): name is (typeof managers)[number] => managers.some((known) => known === name)

function setupOf(folder: Folder, manifest: Manifest): { command: string; file: string } | null {
  const locked = ['package-lock.json', 'npm-shrinkwrap.json'].find((name) => folder.has(name))
  if (locked !== undefined) return { command: 'npm ci', file: locked }
  if (folder.has('pnpm-lock.yaml'))
    return { command: 'npx --yes pnpm install --frozen-lockfile', file: 'pnpm-lock.yaml' }
  if (folder.has('yarn.lock')) {
    const { name, version } = manifest.packageManager ?? { name: null, version: '' }
    const modern = name === 'yarn' && /^(?:[2-9]|\d\d)/.test(version)
    return {
      command: modern ? 'npx --yes corepack yarn install --immutable' : 'npx --yes yarn@1 install --frozen-lockfile',
      file: 'yarn.lock',
    }
  }
  // A lock file that we made would look like a change by the agent.
  return manifest.installs ? { command: 'npm install --no-package-lock', file: FILE } : null
}
