import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { planWarnings } from '@beadloom/core/plan/plan-warnings.ts'
import { isPhased, type Plan, type Subtask } from '@beadloom/core/records/plan.ts'
import { now } from './fixture-data.ts'

/* A plan of four phases, one of forty subtasks, and versions of them. */

const MINUTE = 60_000

const subtask = (id: string, title: string, type: Subtask['type'], dependsOn: string[], files: string[]): Subtask => ({
  id,
  title,
  description: `${title}, so that a reader finds a book by **any word** of its title.\n\n- Words are compared without accents\n- An empty search finds nothing`,
  type,
  dependsOn,
  filesTouched: files,
})

export const search: Plan = {
  goal: 'Readers can search the catalogue by title, and the search page answers in less than 50 ms for 100,000 books.',
  planMarkdown: `# Search

## The index (\`src/search/index.ts\`)

Built once when the catalogue is read. It maps each word, folded to lower case and without accents, to the books that have it.

## The page (\`src/pages/search.tsx\`)

One field, results below it, newest first. \`?q=\` holds what was typed.

1. Tests of the index and of folding
2. The index and the folding
3. The page and its route, side by side
4. What both have in common moves to one place`,
  subtasks: [
    subtask('1a', 'Write tests of the search index', 'test', [], ['test/search/index.test.ts']),
    subtask('1b', 'Write tests of folding accents', 'test', [], ['test/search/fold.test.ts']),
    subtask('2a', 'Implement the search index', 'impl', ['1a'], ['src/search/index.ts', 'src/search/words.ts']),
    subtask('2b', 'Fold case and accents', 'impl', ['1b'], ['src/search/fold.ts']),
    subtask(
      '3a',
      'Build the search page',
      'impl',
      ['2a', '2b'],
      ['src/pages/search.tsx', 'src/pages/search.css', 'test/pages/search.test.tsx'],
    ),
    subtask('3b', 'Answer searches in the API', 'impl', ['2a'], ['src/api/search.ts', 'test/api/search.test.ts']),
    subtask('4', 'One place for the words of a search', 'refactor', ['3a', '3b'], ['src/search/']),
  ],
}

export const huge: Plan = {
  goal: 'Every parser reads dates with their offset.',
  planMarkdown: '',
  subtasks: Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0
      ? subtask(
          `t${n}`,
          `Write tests of the dates of parser ${n / 2 + 1}, with and without an offset, in summer and in winter`,
          'test',
          [],
          [`test/parsers/parser-${n / 2 + 1}.test.ts`],
        )
      : subtask(
          `i${n}`,
          `Read the offset in parser ${(n + 1) / 2}`,
          'impl',
          [`t${n - 1}`],
          [`src/parsers/parser-${(n + 1) / 2}.ts`],
        ),
  ),
}

export const planView = (id: string, plan: Plan, given: Partial<PlanView> = {}): PlanView => ({
  project: 'plans',
  bead: id,
  version: 1,
  newest: given.version ?? 1,
  source: 'architect',
  execution: null,
  commit: '3f2a9c1',
  ...plan,
  phases: phasesOf(plan.subtasks),
  phased: isPhased(plan),
  warnings: planWarnings(plan),
  madeAt: now - 55 * MINUTE,
  approvedAt: null,
  ...given,
})
