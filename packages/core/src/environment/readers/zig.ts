import { commandClaim, place, toolClaim } from '../claims.ts'
import { lineAt } from '../formats/lines.ts'
import type { Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const FILE = 'build.zig'
const MANIFEST = 'build.zig.zon'

/** A project of Zig; its tests are a step of that name in its build. */
export function zig(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(MANIFEST) ?? ''
  const found = /\.minimum_zig_version\s{0,5}=\s{0,5}"(\d[\w.+-]{0,40})"/.exec(text)
  const step = /\.step\(\s{0,20}"test"/.exec(folder.text(FILE) ?? '')
  const from = found
    ? place(folder, MANIFEST, lineAt(text, found.index + 1))
    : place(folder, FILE, step ? lineAt(folder.text(FILE) ?? '', step.index + 1) : null)
  const command = (purpose: 'setup' | 'test', line: string) =>
    step === null ? [] : commandClaim(folder, 'zig', purpose, line, place(folder, FILE))
  return {
    tools: toolClaim('zig', found?.[1] ?? null, from, { least: found !== null }),
    commands: [
      ...command('setup', 'zig build --fetch && { zig build test || true; }'),
      ...command('test', 'zig build test --summary all'),
    ],
    techStack: ['Zig'],
  }
}
