import type { Files } from './repository.ts'

/** Commands that an agent would run after its change, as the prompt asks for. */
export const commitAndPush = (id: string, title: string): string =>
  `git add -A && git commit -q -m "Bead ${id}: ${title}" && git push -q\n`

export type ShellProject = { agent: string; test?: string; config?: object }

/**
 * A project whose agent is a shell script: everything that an execution can meet can be played without a model. The
 * prompt is on the script's standard input.
 */
export function shellProject({ agent, test = 'true\n', config = {} }: ShellProject): Files {
  return {
    'beadloom.json': JSON.stringify({
      techStack: ['Shell'],
      agent: 'command',
      command: 'sh agent.sh',
      test: 'sh test.sh',
      setup: null,
      ...config,
    }),
    'agent.sh': agent,
    'test.sh': test,
    'README.md': 'A sample.\n',
  }
}
