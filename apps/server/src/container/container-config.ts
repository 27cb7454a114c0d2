import type Docker from 'dockerode'
import { gib, shareOf } from '@beadloom/core/project/memory-share.ts'
import {
  LINK_FOLDER,
  LINK_PORT,
  LINK_SOCKET,
  SUPERVISOR_FOLDER,
  WORKSPACE,
} from '@beadloom/core/execution/session-order.ts'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import type { ContainerSpec } from './containers.ts'
import { label, type DockerEngineOptions } from './docker-options.ts'

const AGENT_USER = '1000:1000'
export const AGENT_HOME = '/home/agent'
const NODE = '/opt/beadloom/bin/node'
/**
 * The program of every session: the agent, which asks the link for its order. It gets no flags: with any flag that V8
 * counts, Node compiles its own modules anew, which costs a start 25 ms.
 */
export const AGENT: SessionStart = { argv: [NODE, '/opt/beadloom/agent.mjs'], env: {}, cwd: WORKSPACE }
/**
 * The first flag keeps the memory of a supervisor with much output low, the second keeps its debugger closed. The third
 * saves 2 MB: the binary can be run but not read in a container, so V8 could not map its own code a second time for
 * short calls, and would copy it.
 */
const SUPERVISOR_FLAGS = ['--max-semi-space-size=1', '--disable-sigusr1', '--no-short-builtin-calls']
const SUPERVISOR = [NODE, ...SUPERVISOR_FLAGS, '/opt/beadloom/supervisor.mjs']
const SHELL = '/opt/beadloom/bin/sh'
/** In memory, and empty for each session. */
export const SCRATCH = '/tmp'
const PROCESS_ONE = '/opt/beadloom/process-one.sh'
/** Made by `docker/runtime.sh`: the image's own certificates together with the host's. */
const IMAGE_CA_BUNDLE = '/opt/beadloom/ca-certificates.crt'

const GIB = 1024 ** 3
/**
 * For each of two files. Only a supervisor writes there, a few lines about itself; output of sessions is in their
 * spools.
 */
const LOG_SIZE = '1m'
/** Docker refuses less than 6 MiB, and Node does not start with that little. */
const LEAST_MEMORY = 64 * 1024 ** 2

/**
 * `slots`: the number of containers that share its memory; absent: one has all of it. `called`: in sentences; absent:
 * this host.
 */
export type HostSize = { cpus: number; memoryBytes: number; slots?: number | undefined; called?: string }
/** The engine's own log, Docker's or Podman's, for a supervisor's words about itself and all output of services. */
export type LogDriver = 'local' | 'k8s-file'

const logOptions: Record<LogDriver, Record<string, string>> = {
  local: { 'max-size': LOG_SIZE, 'max-file': '2', compress: 'false' },
  'k8s-file': { 'max-size': LOG_SIZE },
}

/**
 * Otherwise Podman asks for a million, which a service with a lower limit cannot give. `PidsLimit` is the real limit.
 */
const PODMAN_PROCESSES = { Name: 'nproc', Soft: 32_768, Hard: 32_768 }

export const ulimitsOf = (logDriver: LogDriver): Docker.Ulimit[] => [
  // Not more: a daemon with a lower limit of its own cannot start a container with a higher one.
  { Name: 'nofile', Soft: 8192, Hard: 8192 },
  { Name: 'core', Soft: 0, Hard: 0 },
  { Name: 'fsize', Soft: 16 * GIB, Hard: 16 * GIB },
  ...(logDriver === 'local' ? [] : [PODMAN_PROCESSES]),
]

export type Granted = { cpus: number; memoryBytes: number; clamped: string[] }

/** Reduces a request to what the host has, with a sentence for each difference. Memory in bytes. */
export function clampTo(host: HostSize, asked: Pick<ContainerSpec, 'cpus' | 'memoryBytes'>): Granted {
  const cpus = Math.min(asked.cpus, host.cpus)
  const most = host.slots === undefined ? host.memoryBytes : shareOf(host.memoryBytes, host.slots)
  const memoryBytes = Math.max(LEAST_MEMORY, Math.min(asked.memoryBytes, most))
  const clamped: string[] = []
  const { called = 'this host' } = host
  if (cpus < asked.cpus) clamped.push(`asked for ${asked.cpus} CPUs, ${called} has ${cpus}`)
  if (memoryBytes < asked.memoryBytes) {
    const share = `each of ${host.slots} slots can have ${gib(memoryBytes)} of the ${gib(host.memoryBytes)} that ${called} has`
    const has = (host.slots ?? 1) === 1 ? `${called} has ${gib(memoryBytes)} for it` : share
    clamped.push(`asked for ${gib(asked.memoryBytes)} of memory, ${has}`)
  }
  return { cpus, memoryBytes, clamped }
}

/** Process 1 of a sandbox and its supervisor. */
export const entrypointOf = (spec: ContainerSpec): string[] => [SHELL, PROCESS_ONE, ...SUPERVISOR, ...argumentsOf(spec)]

const argumentsOf = (spec: ContainerSpec): string[] => [
  SUPERVISOR_FOLDER,
  spec.magic,
  socketOf(spec),
  SCRATCH,
  JSON.stringify(AGENT),
]

/**
 * The settings of a container that can only run the agent: no capabilities and no way to gain any, no network unless
 * requested, no folder of the host except the link's. The root file system is writable because the workspace is in the
 * container's own layer; everything outside `/workspace`, `/home/agent`, `/tmp` and the supervisor's folder belongs to
 * root.
 *
 * @param options.addsIpv6 gives the loopback ::1, which this engine does not do by itself
 */
export function containerConfig(
  spec: ContainerSpec,
  granted: Granted,
  options: Pick<DockerEngineOptions, 'caBundle' | 'proxy' | 'runtime'> & {
    instance: string
    logDriver?: LogDriver
    addsIpv6?: boolean
  },
): Docker.ContainerCreateOptions & { HostConfig: Docker.HostConfig } {
  const { logDriver = 'local', addsIpv6 = false, runtime } = options
  return {
    name: spec.name,
    Image: spec.image,
    User: AGENT_USER,
    Hostname: 'beadloom',
    WorkingDir: WORKSPACE,
    Entrypoint: entrypointOf(spec),
    Cmd: [],
    Env: environmentOf(spec, options),
    Labels: {
      [label.instance]: options.instance,
      [label.execution]: spec.labels.execution,
      [label.kind]: spec.labels.kind,
      ...(spec.labels.project !== undefined && { [label.project]: spec.labels.project }),
    },
    Tty: false,
    OpenStdin: false,
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    StopSignal: 'SIGTERM',
    StopTimeout: 10,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      ...(runtime && { Runtime: runtime }),
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      Init: false, // process 1 is the supervisor's: it reaps, and nothing in the container can kill it
      NetworkMode: spec.network,
      // Its services listen in this very network.
      ...(spec.hosts?.length && { ExtraHosts: spec.hosts.map((name) => `${name}:127.0.0.1`) }),
      ...(addsIpv6 && { Sysctls: LOOPBACK_IPV6 }),
      Privileged: false,
      CapDrop: ['ALL'],
      CapAdd: [],
      SecurityOpt: ['no-new-privileges:true'],
      ReadonlyRootfs: false,
      Tmpfs: { [SCRATCH]: 'rw,exec,nosuid,nodev,size=1g,mode=1777' },
      Mounts: mountsOf(spec),
      Memory: granted.memoryBytes,
      MemorySwap: granted.memoryBytes,
      OomScoreAdj: 500,
      NanoCpus: Math.round(granted.cpus * 1e9),
      PidsLimit: spec.processes,
      Ulimits: ulimitsOf(logDriver),
      IpcMode: 'private',
      PidMode: '',
      UTSMode: '',
      UsernsMode: '',
      PublishAllPorts: false,
      LogConfig: { Type: logDriver, Config: logOptions[logDriver] },
    },
  }
}

/** In a container's hosts file, `localhost` is ::1 as well, and tests listen there. It reaches nothing outside. */
const LOOPBACK_IPV6 = { 'net.ipv6.conf.lo.disable_ipv6': '0' }

/** The supervisor's argument. */
const socketOf = ({ linkFolder }: ContainerSpec): string => (linkFolder === null ? '-' : LINK_SOCKET)

const mountsOf = ({ linkFolder }: ContainerSpec): Docker.MountSettings[] =>
  linkFolder === null ? [] : [{ Type: 'bind', Source: linkFolder, Target: LINK_FOLDER, ReadOnly: true }]

/**
 * The environment, from an allow-list; the server's own never gets here. `PATH` is the image's own, because the image
 * knows where its compilers are. The keys are placeholders: agents insist on one, and the gateway adds the real one on
 * the server.
 */
export function environmentOf(spec: ContainerSpec, options: Pick<DockerEngineOptions, 'caBundle' | 'proxy'>): string[] {
  const variables: Record<string, string> = {
    HOME: AGENT_HOME,
    LANG: 'C.UTF-8',
    CI: '1',
    GIT_TERMINAL_PROMPT: '0',
    OPENAI_BASE_URL: `http://127.0.0.1:${LINK_PORT}/v1`,
    OPENAI_API_KEY: 'beadloom',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${LINK_PORT}`,
    ANTHROPIC_API_KEY: 'beadloom',
    ...(options.caBundle === null ? {} : trust),
    ...(spec.network === 'bridge' ? options.proxy : {}),
  }
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`)
}

const trust = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'].map(
    (name) => [name, IMAGE_CA_BUNDLE],
  ),
)
