import { commandClaim, place, toolClaim } from '../claims.ts'
import type { Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const FILE = 'Package.swift'

/** A package of Swift; its tests are targets of their own, in `Tests` unless the manifest says otherwise. */
export function swift(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(FILE) ?? ''
  const version = /^\/\/\s{0,5}swift-tools-version\s{0,5}:\s{0,5}(\d[\d.]{0,10})/i.exec(text.slice(0, 200))?.[1] ?? null
  const tested = /\.testTarget\s{0,5}\(/.test(text) || folder.below(/^Tests\/.*\.swift$/, 1).length > 0
  const command = (purpose: 'setup' | 'test', line: string) =>
    tested ? commandClaim(folder, 'swift', purpose, line, place(folder, FILE)) : []
  return {
    tools: toolClaim('swift', version, place(folder, FILE, version === null ? null : 1), { least: version !== null }),
    commands: [
      ...command('setup', 'swift package resolve && { swift build --build-tests || true; }'),
      ...command('test', 'swift test'),
    ],
    techStack: ['Swift'],
  }
}
