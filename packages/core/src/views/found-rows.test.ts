import { expect, test } from 'vitest'
import type { EnvironmentView } from '../api/projects/environment-api.ts'
import { filesOf } from '../testing/sample-repository.ts'
import { detected } from '../environment/commands/detected.ts'
import { toolchainsFor } from '../environment/devcontainer/toolchains-for.ts'
import { foundRows } from './found-rows.ts'
import { look } from '../environment/look.ts'
import { proposalFor } from '../project/proposal.ts'

function viewOf(files: Record<string, string>, configured = false): EnvironmentView {
  const found = look(filesOf(files))
  const { tools, devcontainer } = detected(found)
  const toolchains = toolchainsFor(tools, devcontainer)
  const proposal = proposalFor(found)
  return {
    project: 'p',
    baseBranch: 'main',
    commit: '',
    configured,
    found,
    toolchains,
    devcontainer,
    proposal,
    proof: null,
  }
}
const linesOf = (view: EnvironmentView) => foundRows(view).map(({ what, text, from }) => `${what}: ${text} (${from})`)

const files = {
  '.nvmrc': '18\n',
  'package.json': '{"scripts":{"test":"vitest","lint":"oxlint"},\n"engines":{"node":">=20"}}',
  'compose.yaml': 'services:\n  db:\n    image: postgres:16\n    privileged: true\n',
  '.gitattributes': '*.bin filter=lfs\n',
}

test('each finding has its file and line, the deciding one first', () => {
  expect(linesOf(viewOf(files))).toEqual([
    expect.stringMatching(/^Toolchain: Node\.js 18 from .+ \(\.nvmrc:1\)$/),
    'Test: npm test (package.json:1)',
    'Lint: npm run lint (package.json:1)',
    'Service: db: postgres:16 (compose.yaml:3, a hint)',
    'Contradiction: Node.js 18 counts, and >=20 does not: correct one of them. (.nvmrc:1, package.json:2)',
    expect.stringMatching(/^Refused: services\.db\.privileged: It would weaken .* \(compose\.yaml:4\)$/),
    expect.stringMatching(/^To do: \.gitattributes:1 keeps \*\.bin in Git LFS/),
  ])
})

test('with a beadloom.json only problems that it cannot mend are left, and many rows are summed up', () => {
  expect(linesOf(viewOf(files, true)).filter((line) => /^(?:To do|Missing)/.test(line))).toEqual([
    expect.stringMatching(/^Missing: \.gitattributes:1 keeps/),
  ])
  const scripts = Array.from({ length: 100 }, (_, at) => [`p${at}/go.mod`, 'module x\n'] as const)
  const rows = foundRows(viewOf({ 'go.mod': 'module x\n', ...Object.fromEntries(scripts) }))
  expect(rows.length).toBeLessThanOrEqual(61)
})
