import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { detected } from '@beadloom/core/environment/commands/detected.ts'
import { toolchainsFor } from '@beadloom/core/environment/devcontainer/toolchains-for.ts'
import { look } from '@beadloom/core/environment/look.ts'
import { proposalFor } from '@beadloom/core/project/proposal.ts'
import type { FixtureProject } from './fixture-data.ts'

const texts = new Map([
  [
    'package.json',
    '{\n  "scripts": { "build": "tsc", "test": "vitest run", "lint": "oxlint" },\n  "engines": { "node": ">=20" }\n}',
  ],
  ['package-lock.json', '{"lockfileVersion":3}'],
  ['.nvmrc', '22\n'],
  ['tools/go.mod', 'module example.org/tools\n\ngo 1.22\n'],
  [
    'compose.yaml',
    'services:\n  postgres:\n    image: postgres:17\n    volumes:\n      - data:/var/lib/postgresql/data\n',
  ],
  ['.gitmodules', '[submodule "words"]\n\tpath = data/words\n\turl = https://elsewhere.example/words.git\n'],
])

/** Answered by the real readers. The blank project has no `beadloom.json` yet. */
export function environmentOf({ view }: FixtureProject): EnvironmentView {
  const found = look({ paths: [...texts.keys()], texts })
  const { tools, devcontainer } = detected(found)
  return {
    project: view.id,
    baseBranch: 'main',
    commit: '3f2a9c1d'.repeat(5),
    configured: view.id !== 'blank',
    found,
    toolchains: toolchainsFor(tools, devcontainer),
    devcontainer,
    proposal: proposalFor(found),
    proof: null,
  }
}
