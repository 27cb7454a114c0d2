import { commandClaim, place, toolClaim } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import type { Reading, ToolClaim } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

/** Compiles the test binaries but runs no test: the verification reports compile errors. */
const SETUP = 'go mod download && { go test -exec true ./... || true; }'

/** Without `-v` the output names only packages, and a test that disappears goes unnoticed. */
const TEST = 'go test -v ./...'

export function go(folder: Folder): Reading | null {
  const file = ['go.mod', 'go.work'].find((name) => folder.has(name))
  if (file === undefined) return null
  const command = (purpose: 'setup' | 'test', line: string) =>
    commandClaim(folder, 'go', purpose, line, place(folder, file))
  return {
    tools: toolsOf(folder, file),
    // In a workspace `./...` means the modules below; each is a project with its own `go.mod`.
    commands: file === 'go.mod' ? [...command('setup', SETUP), ...command('test', TEST)] : [],
    techStack: ['Go'],
  }
}

/** `toolchain` is the version to take; `go` is the oldest that will do. */
function toolsOf(folder: Folder, file: string): ToolClaim[] {
  const lines = linesOf(folder.text(file) ?? '')
  const word = (name: string): ToolClaim[] => {
    const at = lines.findIndex((line) => line.startsWith(`${name} `))
    const version = (lines[at] ?? '').slice(name.length).split('//')[0]?.trim().replace(/^go/, '')
    if (at === -1 || !version || version === 'default') return []
    return toolClaim('go', version, place(folder, file, at + 1), { least: name === 'go' })
  }
  const found = [...word('toolchain'), ...word('go')]
  return found.length > 0 ? found : toolClaim('go', null, place(folder, file))
}
