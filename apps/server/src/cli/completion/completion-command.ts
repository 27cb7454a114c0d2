import { Argument, type Command } from 'commander'
import { completionScript, shells, type Shell } from './completion.ts'
import { jsonFlag, type CommandContext } from '../context.ts'
import { localExits } from '../exit-code.ts'
import { writeHelp } from '../terminal/help.ts'
import { print } from '../terminal/output.ts'

export function addCompletionCommand(program: Command, { terminal }: CommandContext): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .option('--json', jsonFlag.document)
  writeHelp(command, {
    description: 'print a script that completes commands and options in a shell',
    more: 'It needs no server. The script is made of the commands themselves: print it again after an update.',
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
