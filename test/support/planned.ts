import { shellProject, type ShellProject } from './shell-project.ts'
import type { Files } from './repository.ts'

/** A subtask as an architect gives it. */
export const subtask = (id: string, more: object = {}) => ({
  id,
  title: `Do ${id}`,
  description: `All of ${id}.`,
  type: 'test',
  dependsOn: [],
  filesTouched: [`${id}.txt`],
  ...more,
})

export const planText = (subtasks: object[]): string =>
  JSON.stringify({ goal: 'A blog.', planMarkdown: '# A blog', subtasks })

/** A shell script that prints this as its answer. */
export const print = (text: string): string => `cat > /dev/null\ncat <<'END'\n${text}\nEND\n`

/** A project with a shell script as architect. */
export function plannedProject({
  architect,
  planning = {},
  files = {},
  ...project
}: ShellProject & { architect: string; planning?: object; files?: Files }): Files {
  return {
    ...shellProject({
      ...project,
      config: { planning: { command: 'sh architect.sh', ...planning }, ...project.config },
    }),
    'architect.sh': architect,
    ...files,
  }
}
