import { expect, test } from 'vitest'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { HubError } from '../ports/hub.ts'
import { agentsAt } from './agents-at.ts'

const project = parseProjectId('p')

/** A commit with these files, some of them unreadable. */
const hub = (files: Record<string, string | HubError | null>) => ({
  filesIn: async (_: typeof project, _commit: string, folder: string) =>
    Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
  readFile: async (_: typeof project, _commit: string, path: string) => {
    const file = files[path] ?? null
    if (file instanceof HubError) throw file
    return file
  },
})
const good = (name: string) => `---\nname: ${name}\ndescription: d\n---\nI am ${name}.`

test('files that are too large, missing or oddly named are reported, and the others are read', async () => {
  const { agents, problems } = await agentsAt(
    hub({
      '.beadloom/agents/a.md': good('a'),
      '.beadloom/agents/big.md': new HubError('refused', 'too large'),
      '.beadloom/agents/link.md': null,
      '.beadloom/agents/notes.txt': 'notes',
      '.beadloom/agents/README.md': 'About the agents.',
      '.claude/agents/\u001b[31m.md': good('red'),
    }),
    project,
    'c',
  )
  expect(agents.filter(({ from }) => from !== null).map(({ name }) => name)).toEqual(['a'])
  expect(problems).toEqual([
    '.beadloom/agents/big.md is left out: it has more than 65,536 bytes',
    '.beadloom/agents/link.md is left out: it is not a regular file',
    '.claude/agents has a file whose name is not made of letters, digits, dots and hyphens',
  ])
})

test('a folder with very many files is read up to a limit', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`.claude/agents/a${String(at).padStart(2, '0')}.md`, good(`a${at}`)]),
  )
  const { agents, problems } = await agentsAt(hub(many), project, 'c')
  expect(agents.filter(({ from }) => from !== null)).toHaveLength(50)
  expect(problems).toEqual(['.claude/agents has 60 files, of which the first 50 are read'])
})
