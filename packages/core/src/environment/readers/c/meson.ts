import { commandClaim, place, toolClaim } from '../../claims.ts'
import { lineAt } from '../../formats/lines.ts'
import type { Reading } from '../../found.ts'
import type { Folder } from '../../repository-files.ts'
import { buildFolder } from './build-folder.ts'

const FILE = 'meson.build'
const TEST = /^[ \t]*test[ \t]*\(/m
const BELOW = /^(?!subprojects\/).*\/meson\.build$/
const MOST_FILES = 40

/** A project of Meson that has tests. */
export function meson(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const text = folder.text(FILE) ?? ''
  const file = [FILE, ...folder.below(BELOW, MOST_FILES)].find((name) => TEST.test(folder.text(name) ?? ''))
  const found = /\bmeson_version\s{0,5}:\s{0,5}'([^']{1,40})'/.exec(text)
  const build = buildFolder(folder)
  const command = (purpose: 'setup' | 'test', line: string) =>
    file === undefined ? [] : commandClaim(folder, 'meson', purpose, line, place(folder, file))
  return {
    tools: toolClaim('meson', found?.[1] ?? null, place(folder, FILE, found ? lineAt(text, found.index + 1) : null)),
    commands: [
      // Meson itself has git ignore what it makes. It leaves a folder that is set up as it is.
      ...command('setup', `meson setup ${build} && { ninja -k 0 -C ${build} || true; }`),
      ...command('test', `meson setup ${build} && meson test -C ${build} --print-errorlogs`),
    ],
    techStack: ['Meson'],
  }
}
