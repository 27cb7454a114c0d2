import type { Command } from 'commander'
import { ConfigError } from '@beadloom/core/project/project-config.ts'
import type { RunningServer } from '../../main.ts'
import { systemClock } from '../../process/clock.ts'
import { readConfigFile } from '../../process/config-file.ts'
import { createLogger } from '../../process/logger.ts'
import { dataFolder, readSettings, type Environment, type Flags, type ServerSettings } from '../../process/settings.ts'
import { armCrashPoint } from '../../process/crash-point.ts'
import { defaultScenarios } from './checkout.ts'
import type { CommandContext } from '../context.ts'
import { makeFolder } from './data-folder.ts'
import { CliError, exitCode, localExits } from '../exit-code.ts'
import { logLine } from './log-line.ts'
import { checkGit } from '../health/health-checks.ts'
import { writeHelp } from '../terminal/help.ts'
import { showObstacles } from './obstacles.ts'
import { print } from '../terminal/output.ts'
import { showProgress } from './progress.ts'
import { problemsWithFiles, startProblem } from './start-problems.ts'
import { untilAskedToStop } from './stop-signals.ts'

/** The service manager's own patience is often 10 s. What is not settled by then is settled at the next start. */
const STOP_LIMIT_MS = 9_000

const more = `On an empty data folder it brings the demo project and runs its beads.
The same settings can stand in config.json in the data folder, as in {"port": 4700, "slots": 2, "caBundle": "/etc/ca.pem"}. A flag wins over the environment, and that over the file.
Models: OPENAI_API_KEY, OPENAI_BASE_URL; for agents that speak Anthropic's API ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL. Docker: DOCKER_HOST, DOCKER_CERT_PATH. "beadloom doctor" checks all of it.
Ctrl-C stops the server within 10 s; a second one stops it at once. What runs is settled at the next start.`

export function addStartCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('start')
    .option('--data <folder>', 'data folder (BEADLOOM_DATA; default: beadloom in the XDG data home)')
    .option('--port <number>', 'port, 0 for any free one (BEADLOOM_PORT; default 4600)')
    .option('--host <address>', 'loopback address to listen on (BEADLOOM_HOST; default 127.0.0.1)')
    .option('--slots <number>', 'containers with agents at the same time (BEADLOOM_SLOTS; default 3)')
    .option('--no-demo', 'leave an empty data folder empty (BEADLOOM_DEMO=false)')
    .option('--no-backups', 'do not copy the database each hour (BEADLOOM_BACKUPS=false)')
    .option('--model <name>', 'model of projects that name none (BEADLOOM_MODEL)')
    .option('--scenarios <folder>', "the scripted model's scenarios (BEADLOOM_SCENARIOS)")
    .option('--ca-bundle <file>', 'PEM file that containers trust too (BEADLOOM_CA_BUNDLE)')
    .option('--log-level <level>', "the server's own log on standard error (BEADLOOM_LOG_LEVEL; default warn)")
    .option('--json', 'print one JSON document when the server is up, and nothing else')
  writeHelp(command, {
    description: 'start the server in this terminal',
    more,
    examples: [
      'beadloom start',
      'beadloom start --port 0 --data ~/beadloom-test --no-demo',
      'OPENAI_API_KEY=sk-… beadloom start --model gpt-5',
      'npm start -- --slots 2           # in a checkout: sets up what is missing first',
      "npm start --silent -- --json     # without npm's own lines before the document",
    ],
    exits: [...localExits, 'interrupted'],
  }).action((options: Record<string, string | boolean>) => start(options, context))
}

async function start(options: Record<string, string | boolean>, { env, cwd, terminal }: CommandContext): Promise<void> {
  const json = options['json'] === true
  const asked = untilAskedToStop(process) // from here on: also a signal during the start ends in order
  const settings = await resolveSettings(options, env, cwd)
  if (env['CRASH_AT']) armCrashPoint(env['CRASH_AT'])
  const server = await startOrSay(settings, env)
  const dashboard = `${server.url}/?token=${server.token}`
  const document = { url: server.url, dashboard, data: settings.data, pid: process.pid }
  print(
    terminal,
    json,
    document,
    () => `\nBeadloom is up: ${dashboard}\nData folder: ${settings.data}. Stop it with Ctrl-C.\n`,
  )
  const say = json ? () => {} : (line: string) => void terminal.write(`${line}\n`)
  const hush = new AbortController()
  const stopTelling = showProgress(server.store, settings.model, say)
  void showObstacles(server.status, say, systemClock, hush.signal)
  await asked
  hush.abort()
  stopTelling()
  await stop(server, say)
}

async function stop(server: RunningServer, say: (text: string) => void): Promise<void> {
  const running = server.store.liveExecutions().filter(({ state }) => state === 'RUNNING').length
  const left =
    running === 0
      ? ''
      : running === 1
        ? ' One execution is running: its container goes on, and the next start takes it up.'
        : ` ${running} executions are running: their containers go on, and the next start takes them up.`
  say(`Stopping.${left}`)
  setTimeout(() => process.exit(exitCode.failed), STOP_LIMIT_MS).unref()
  await server.stop()
  process.exit(exitCode.ok)
}

async function resolveSettings(
  options: Record<string, string | boolean>,
  env: Environment,
  cwd: string,
): Promise<ServerSettings> {
  const { json: _, demo, backups, ...rest } = options
  // Commander gives `demo: true` when nothing was said; only `--no-demo` is a flag.
  const flags: Flags = { ...rest, ...(demo === false ? { demo } : {}), ...(backups === false ? { backups } : {}) }
  try {
    const configFile = await readConfigFile(dataFolder(flags.data, env, cwd))
    const settings = readSettings({ flags, env, configFile, cwd, defaults: { scenarios: defaultScenarios } })
    const problems = await problemsWithFiles(settings)
    if (problems.length > 0) throw new ConfigError('configuration', problems)
    return settings
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CliError(`bad configuration:\n${error.problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}

async function startOrSay(settings: ServerSettings, env: Environment): Promise<RunningServer> {
  // The server's parts take most of a second to load; the other commands do without them.
  const { startServer } = await import('../../main.ts')
  const git = await checkGit(env)
  if (!git.ok) throw new CliError(`${git.text}: ${git.fix}`)
  try {
    await makeFolder(settings.data)
    return await startServer(settings, env, createLogger(settings.logLevel, process.stderr.isTTY ? logLine : null))
  } catch (error) {
    throw (await startProblem(error, settings)) ?? error
  }
}
