import { Argument, type Command } from 'commander'
import { bashScript } from './completion-bash.ts'
import { fishScript } from './completion-fish.ts'
import { nodesOf } from './completion-nodes.ts'
import { zshScript } from './completion-zsh.ts'
import { jsonFlag, type CommandContext } from '../context.ts'
import { localExits } from '../exit-code.ts'
import { writeHelp } from '../terminal/help.ts'
import { print } from '../terminal/output.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function addCompletionCommand(program: Command, { terminal }: CommandContext): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .option('--json', jsonFlag.document)
  writeHelp(command, {
    description: 'print a shell completion script',
    more: 'It needs no server. The script is generated from the commands: print it again after an update.',
    examples: [
      'source <(beadloom completion bash)            # in ~/.bashrc',
      'source <(beadloom completion zsh)             # in ~/.zshrc, after compinit',
      'beadloom completion fish > ~/.config/fish/completions/beadloom.fish',
    ],
    exits: localExits,
  }).action((shell: Shell, { json }: { json?: boolean }) => {
    const script = completionScript(program, shell)
    print(terminal, json === true, { shell, script }, () => script)
  })
}

export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program)
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](nodes)
}
