import { execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { serverCommand } from '../apps/server/bin/server-command.mjs'
import { aptInstall, has, run, say, Stop } from './run.mjs'
import { forgetDead } from './stale-pid.mjs'

const SOCKET = '/var/run/docker.sock'
const LOG = '/var/log/beadloom-dockerd.log'
const START_LIMIT_MS = 60_000
const PING_LIMIT_MS = 5_000

/** The engine's address at first sight: `DOCKER_HOST` if it is set, else Docker's own socket. */
function address() {
  const host = process.env.DOCKER_HOST?.trim()
  if (!host) return { socketPath: SOCKET, path: '/_ping' }
  const socket = /^(?:unix:\/\/)?(\/.+)$/.exec(host)?.[1]
  if (socket) return { socketPath: socket, path: '/_ping' }
  const text = host.includes('://') ? host : `tcp://${host}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url?.hostname || !['tcp:', 'http:', 'https:'].includes(url.protocol)) {
    throw new Stop(
      `DOCKER_HOST=${host} is no address that Beadloom can use: set unix:///path/to/docker.sock, tcp://host:port or ssh://user@host, or unset it to use the Docker of this machine.`,
    )
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || 2375, path: '/_ping' }
}

/** Null if the engine answers, else the reason. */
function unreachable() {
  return new Promise((resolve) => {
    const ping = request({ ...address(), timeout: PING_LIMIT_MS }, (response) => {
      response.resume()
      resolve(response.statusCode === 200 ? null : { code: 'EANSWER', message: `it answered ${response.statusCode}` })
    })
    ping.on('timeout', () =>
      ping.destroy(Object.assign(new Error(`no answer within ${PING_LIMIT_MS / 1000} s`), { code: 'ETIMEDOUT' })),
    )
    ping.on('error', resolve)
    ping.end()
  })
}

/**
 * A Docker engine that answers: the existing one, or the distribution's, installed and started here. Never continues
 * without one: agents do not run outside a container.
 */
export async function ensureDocker() {
  // A TLS endpoint cannot be pinged without its certificates; the server's own client can, and says so if it fails.
  if (process.env.DOCKER_HOST && (process.env.DOCKER_TLS_VERIFY || process.env.DOCKER_CERT_PATH)) return
  if (/^(https|ssh):\/\//.test(process.env.DOCKER_HOST?.trim() ?? '')) return
  if (!process.env.DOCKER_HOST && mayHaveContext()) {
    const found = await asBeadloomFindsIt()
    if (found?.ok) return
    if (found) throw new Stop(`No container engine can be used: ${found.text}`)
  }
  const problem = await unreachable()
  if (!problem) return
  if (process.env.DOCKER_HOST) {
    throw new Stop(
      `No Docker engine answers at DOCKER_HOST=${process.env.DOCKER_HOST} (${problem.message}).\nStart it, or unset DOCKER_HOST to use the one on this machine.`,
    )
  }
  if ((await asBeadloomFindsIt())?.ok) return
  const root = process.getuid?.() === 0
  if (problem.code === 'EACCES')
    throw new Stop(
      `You may not use the Docker engine (${SOCKET}: permission denied). Run this, and try again:\n\n${joinGroup}`,
    )
  // Installing over an existing engine that hangs, or over another system's, would only make things worse.
  const gone = problem.code === 'ENOENT' || problem.code === 'ECONNREFUSED'
  if (!root || !gone || !isDebianLike()) throw new Stop(await manualSteps(problem))
  await install()
  await start()
}

/** Whether the docker command may have been configured for another engine. */
function mayHaveContext() {
  if (process.env.DOCKER_CONTEXT) return true
  const settings = join(process.env.DOCKER_CONFIG || join(homedir(), '.docker'), 'config.json')
  try {
    return readFileSync(settings, 'utf8').includes('"currentContext"')
  } catch {
    return false
  }
}

/**
 * The line of `beadloom doctor` about the engine, which may belong to a docker context, Docker Desktop, OrbStack,
 * colima or Podman. Null if nothing is installed yet that could be asked.
 */
function asBeadloomFindsIt() {
  const { command, args, env } = serverCommand(['doctor', '--json'], process.env)
  if (command === null) return null
  return new Promise((resolve) => {
    execFile(command, args, { env }, (_, out) => {
      try {
        resolve(JSON.parse(out).find(({ name }) => name === 'docker') ?? null)
      } catch {
        resolve(null)
      }
    })
  })
}

const joinGroup = '  sudo usermod -aG docker "$USER"\n  newgrp docker        # or log out and in'

function isDebianLike() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release)
}

async function manualSteps(problem) {
  const why = `No Docker engine answers (${problem.message}). Beadloom runs agents in containers only.`
  if (!isDebianLike())
    return `${why} Start the one that you have (Docker Desktop, OrbStack, colima, Podman), or run this, and try again:\n\n  install Docker: https://docs.docker.com/engine/install/\n  then make sure that "docker info" works for you`
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  const steps = []
  if (!(await has('dockerd')) && !existsSync('/usr/sbin/dockerd'))
    steps.push(`${sudo}apt-get update`, `${sudo}apt-get install -y docker.io iptables`)
  if (existsSync('/run/systemd/system')) steps.push(`${sudo}systemctl enable --now docker`)
  else steps.push(`${sudo}sh -c 'nohup dockerd > ${LOG} 2>&1 &'`)
  return `${why} Run this, and try again:\n\n${steps.map((step) => `  ${step}`).join('\n')}${sudo ? `\n${joinGroup}` : ''}`
}

async function install() {
  if ((await has('dockerd')) && (await has('iptables'))) return
  say('Installing the Docker engine (docker.io, iptables) …')
  await aptInstall(['docker.io', 'iptables'], 'installing docker.io and iptables')
}

async function start() {
  say('Starting the Docker engine …')
  let ended = ''
  if (existsSync('/run/systemd/system') && (await has('systemctl'))) {
    await run('systemctl', ['start', 'docker'], {
      quiet: true,
      why: 'starting Docker',
      fix: 'Its log: journalctl -u docker',
    })
  } else if (await unreachable()) {
    forgetDead('/var/run/docker.pid', 'dockerd')
    forgetDead('/var/run/docker/containerd/containerd.pid', 'containerd')
    const log = openSync(LOG, 'a')
    const engine = spawn('dockerd', [], { detached: true, stdio: ['ignore', log, log] })
    engine.on('error', (error) => (ended = error.message))
    engine.on('exit', (code, signal) => (ended = `it ended with ${signal ?? `exit code ${code}`}`))
    engine.unref()
    closeSync(log)
  }
  const end = Date.now() + START_LIMIT_MS
  while (await unreachable()) {
    if (ended) throw new Stop(`dockerd could not be started: ${ended}. Its last lines (${LOG}):\n${tail()}`)
    if (Date.now() > end) throw new Stop(`dockerd was started but does not answer. Its last lines (${LOG}):\n${tail()}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

const tail = () =>
  existsSync(LOG) ? readFileSync(LOG, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '(no log)'
