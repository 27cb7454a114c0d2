import { digestTools } from '../digest/tools.ts'

/** "npm test", "npm run test:unit", "yarn test", "pnpm -r test" with the name of their script. */
const SCRIPT = /^(?:npm|pnpm|yarn|bun)(?:\s+-{1,2}[\w-]+)*\s+(?:run\s+|run-script\s+)?([\w:.-]+)(?:\s|$)/

/** The script of `package.json` that a command runs; null: it runs none. */
export function scriptNamed(command: string): string | null {
  const name = SCRIPT.exec(command.trim().slice(0, MOST))?.[1] ?? null
  return name === 't' ? 'test' : name
}

/** Longer command lines are not searched. */
const MOST = 10_000

/**
 * The runner of tests that a command starts, by its words or by those of the script that it names; null: they name none.
 *
 * @param scripts of `package.json`
 */
export function runnerNamed(command: string, scripts: Readonly<Record<string, unknown>>): string | null {
  const name = scriptNamed(command)
  const script = name === null ? undefined : scripts[name]
  const words = `${command} \n ${typeof script === 'string' ? script : ''}`.slice(0, MOST)
  const tool = digestTools.find(
    (one) => one.type === 'test' && one.wraps !== true && one.watches !== true && one.command?.test(words),
  )
  return tool?.name ?? null
}
