import type { Command } from 'commander'
import { bashScript } from './completion-bash.ts'
import { fishScript } from './completion-fish.ts'
import { nodesOf } from './completion-nodes.ts'
import { zshScript } from './completion-zsh.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program)
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](nodes)
}
