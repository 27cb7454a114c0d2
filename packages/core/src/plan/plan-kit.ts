import fc from 'fast-check'
import { subtaskTypes, type Plan, type Subtask } from '../records/plan.ts'

export const subtaskOf = (id: string, some: Partial<Subtask> = {}): Subtask => ({
  id,
  title: `Do ${id}`,
  description: `All of ${id}.`,
  type: 'test',
  dependsOn: [],
  filesTouched: [`src/${id}.ts`],
  ...some,
})

export const planOf = (subtasks: Subtask[], some: Partial<Plan> = {}): Plan => ({
  goal: 'A blog.',
  planMarkdown: '# A blog\n',
  subtasks,
  ...some,
})

/** The example of nine subtasks, which has five phases. */
export const nineSubtasks: Subtask[] = [
  subtaskOf('1a', { title: 'Write User model tests' }),
  subtaskOf('1b', { title: 'Write Post model tests' }),
  subtaskOf('2a', { title: 'Implement User model', type: 'impl', dependsOn: ['1a'] }),
  subtaskOf('2b', { title: 'Implement Post model', type: 'impl', dependsOn: ['1b'] }),
  subtaskOf('3a', { title: 'Write API endpoint tests', dependsOn: ['2a', '2b'] }),
  subtaskOf('3b', { title: 'Write CLI command tests', dependsOn: ['2a', '2b'] }),
  subtaskOf('4a', { title: 'Implement API endpoints', type: 'impl', dependsOn: ['3a'] }),
  subtaskOf('4b', { title: 'Implement CLI commands', type: 'impl', dependsOn: ['3b'] }),
  subtaskOf('5', { title: 'Write integration tests', dependsOn: ['4a', '4b'] }),
]

/** Any plan without a circle: each subtask depends only on some before it, and files are few enough to be shared. */
export const anySubtasks: fc.Arbitrary<Subtask[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom(...subtaskTypes),
      before: fc.array(fc.nat(39), { maxLength: 4 }),
      files: fc.array(fc.constantFrom('a.ts', 'src/', 'src/b.ts', 'src/c/*.ts', 'src/c/d.ts', 'docs/e.md', 'f.ts'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((all) =>
    all.map(({ type, before, files }, at) =>
      subtaskOf(`s${at}`, {
        type,
        dependsOn: at === 0 ? [] : [...new Set(before.map((one) => `s${one % at}`))],
        filesTouched: files,
      }),
    ),
  )
