import { digestTools } from '../digest/tools.ts'
import { meaningOf, type NamedCommands } from './named-commands.ts'

/** Longer command lines are not searched. */
const MOST = 10_000

/** The runner of tests that a command starts, by its words or by those that it stands for; null: they name none. */
export function runnerNamed(command: string, named: NamedCommands): string | null {
  const words = `${command} \n ${meaningOf(command, named) ?? ''}`.slice(0, MOST)
  const tool = digestTools.find(
    (one) => one.type === 'test' && one.wraps !== true && one.watches !== true && one.command?.test(words),
  )
  return tool?.name ?? null
}
