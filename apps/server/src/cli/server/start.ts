import { flushCompileCache } from 'node:module'
import type { Command } from 'commander'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import type { RunningServer } from '../../main.ts'
import { systemClock } from '../../process/clock.ts'
import { readConfigFile } from '../../process/settings/config-file.ts'
import { createLogger } from '../../process/logger.ts'
import { hasOwnNetwork } from '../../process/own-container.ts'
import {
  dataFolder,
  readSettings,
  type Environment,
  type Flags,
  type ServerSettings,
} from '../../process/settings/settings.ts'
import { armCrashPoint } from '../../process/crash-point.ts'
import { defaultScenarios } from '../../process/own-files.ts'
import type { CommandContext } from '../context.ts'
import { makeFolder, mayWrite, refuseOthers } from '../../process/data-folder.ts'
import { CliError, exitCode, localExits } from '../exit-code.ts'
import { logLine } from './log-line.ts'
import { checkGit } from '../../health/health-checks.ts'
import { writeHelp } from '../terminal/help.ts'
import { keepOthersOut } from './own-folder.ts'
import { settlePlace, type OfCopy } from './own-place.ts'
import { showBases } from './base-progress.ts'
import { obstacleOf, showObstacles } from './obstacles.ts'
import { print } from '../terminal/output.ts'
import { showProgress } from './progress.ts'
import { problemsWithFiles, startProblem } from './start-problems.ts'
import { untilAskedToStop } from './stop-signals.ts'

/** Service managers often kill after 10 s. The next start recovers whatever is unfinished then. */
const STOP_LIMIT_MS = 9_000

const more = `On an empty data folder it adds the demo project and runs its beads.
The settings below can also go into config.json in the data folder, for example {"port": 4700, "slots": 2, "caBundle": "/etc/ca.pem"}. Flags override environment variables, which override the file.
Models: set OPENAI_API_KEY and OPENAI_BASE_URL; for agents that use Anthropic's API, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL.
Containers: the engine is found as the docker command finds it (DOCKER_HOST, DOCKER_CONTEXT, the current docker context), else at the usual sockets of Docker, Docker Desktop, OrbStack, colima, Rancher Desktop, Lima and Podman. "beadloom doctor" says which one was taken and why, and checks everything else.
Ctrl-C stops the server within 10 s; a second Ctrl-C stops it at once. Running agents continue either way, and the next start reattaches to them. A server that crashes is started again by npm start or by a service, not by this command.`

export function addStartCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('start')
    .option('--data <folder>', 'data folder (BEADLOOM_DATA; default: beadloom in $XDG_DATA_HOME or ~/.local/share)')
    .option('--port <number>', 'port; 0 picks any free one (BEADLOOM_PORT; default 4600)')
    .option('--host <address>', 'loopback address to listen on (BEADLOOM_HOST; default 127.0.0.1)')
    .option('--slots <number>', 'how many executions run at once (BEADLOOM_SLOTS; default 3)')
    .option('--warm <number>', 'how many containers may wait for an execution, 0: none (BEADLOOM_WARM; default: slots)')
    .option('--no-demo', 'do not add the demo project to an empty data folder (BEADLOOM_DEMO=false)')
    .option('--no-backups', 'do not back up the database every hour (BEADLOOM_BACKUPS=false)')
    .option(
      '--allow-unlimited',
      'start containers even if the engine cannot limit their memory or processes (BEADLOOM_ALLOW_UNLIMITED)',
    )
    .option(
      '--adopt',
      'the data folder is a copy, and takes the place of the original, whose server will not run again',
    )
    .option(
      '--new-instance',
      'the data folder is a copy, and gets an identity of its own; the original keeps its agents',
    )
    .option('--model <name>', 'model for projects that name none (BEADLOOM_MODEL)')
    .option('--scenarios <folder>', 'folder with the recordings that the scripted model replays (BEADLOOM_SCENARIOS)')
    .option('--ca-bundle <file>', 'PEM file with extra certificates that containers trust (BEADLOOM_CA_BUNDLE)')
    .option(
      '--log-level <level>',
      "level of the server's own log, on standard error (BEADLOOM_LOG_LEVEL; default warn)",
    )
    .option('--json', 'once the server is up, print one JSON document and nothing else')
  writeHelp(command, {
    description: 'start the server in this terminal',
    more,
    examples: [
      'beadloom start',
      'beadloom start --port 0 --data ~/beadloom-test --no-demo',
      'OPENAI_API_KEY=sk-… beadloom start --model gpt-5',
      'npm start -- --slots 2           # in a checkout: installs and builds first',
      "npm start --silent -- --json     # without npm's own output before the JSON",
    ],
    exits: [...localExits, 'crashed', 'interrupted'],
  }).action((options: Record<string, string | boolean>) => start(options, context))
}

async function start(options: Record<string, string | boolean>, { env, cwd, terminal }: CommandContext): Promise<void> {
  const json = options['json'] === true
  const asked = untilAskedToStop(process) // from here on, so that even a signal during the start ends it in order
  const settings = await resolveSettings(options, env, cwd)
  if (env['CRASH_AT']) armCrashPoint(env['CRASH_AT'])
  const server = await startOrSay(settings, env, ofCopy(options))
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
  const stopTelling = showProgress(server.store, settings.model, systemClock.now(), say)
  void showObstacles(server.status, say, systemClock, hush.signal)
  void showBases(() => server.store.seq(), server.bases, say, systemClock, hush.signal)
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
        ? ' One execution is running: its container continues, and the next start reattaches to it.'
        : ` ${running} executions are running: their containers continue, and the next start reattaches to them.`
  say(`Stopping.${left}`)
  setTimeout(() => {
    const why = obstacleOf(server.status())
    say(
      `Not stopped after ${STOP_LIMIT_MS / 1000} s, so the server ends as after a crash: nothing is lost, and the next start continues.${why === null ? '' : ` ${why}`}`,
    )
    process.exit(exitCode.failed)
  }, STOP_LIMIT_MS).unref()
  await server.stop()
  process.exit(exitCode.ok)
}

/** The settings of a start with these options. Throws `CliError` with all their problems. */
export async function resolveSettings(
  options: Record<string, string | boolean>,
  env: Environment,
  cwd: string,
): Promise<ServerSettings> {
  const { json: _, demo, backups, adopt: __, newInstance: ___, ...rest } = options
  // Without the flag Commander gives `demo: true`; only `--no-demo` is a flag.
  const flags: Flags = { ...rest, ...(demo === false ? { demo } : {}), ...(backups === false ? { backups } : {}) }
  try {
    const configFile = await readConfigFile(dataFolder(flags.data, env, cwd))
    const settings = readSettings({
      ownNetwork: hasOwnNetwork(),
      flags,
      env,
      configFile,
      cwd,
      defaults: { scenarios: defaultScenarios },
    })
    const problems = await problemsWithFiles(settings, env)
    if (problems.length > 0) throw new ConfigError('configuration', problems)
    return settings
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { problems } = error
    // Each problem begins with its origin; a wrong file or variable is no fault of the command line.
    const isUsage = problems.every((problem) => /^--[\w-]+ \(/.test(problem))
    const text = `invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`
    throw new CliError(text, isUsage ? exitCode.usage : exitCode.failed)
  }
}

function ofCopy({ adopt, newInstance }: Record<string, string | boolean>): OfCopy {
  if (adopt === true && newInstance === true)
    throw new CliError('--adopt and --new-instance cannot be combined.', exitCode.usage)
  return adopt === true ? 'adopt' : newInstance === true ? 'new-instance' : null
}

async function startOrSay(settings: ServerSettings, env: Environment, copy: OfCopy): Promise<RunningServer> {
  // The server's parts take most of a second to load, and no other command needs them.
  const { startServer } = await import('../../main.ts')
  flushCompileCache() // until then Node keeps the cache in memory too
  const git = await checkGit(env)
  if (!git.ok) throw new CliError(`${git.text}: ${git.fix}`)
  try {
    await makeFolder(settings.data)
    await refuseOthers(settings.data)
    if (await mayWrite(settings.data)) {
      const closed = await keepOthersOut(settings.data, process.getuid?.())
      if (closed !== null) process.stderr.write(`beadloom: ${closed}\n`)
      const { makeNewInstance } = await import('../../store/database/new-instance.ts')
      await settlePlace(settings.data, copy, (file) => makeNewInstance(file, systemClock.now()))
    }
    return await startServer(settings, env, createLogger(settings.logLevel, process.stderr.isTTY ? logLine : null))
  } catch (error) {
    throw (await startProblem(error, settings)) ?? error
  }
}
