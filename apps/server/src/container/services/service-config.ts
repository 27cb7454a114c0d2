import type Docker from 'dockerode'
import { SERVICE, type ServiceSpec } from '../../ports/service.ts'
import { ulimitsOf, type Granted, type LogDriver } from '../container-config.ts'
import { label } from '../docker-options.ts'

/**
 * Databases' images need these while they are still root: to own their folder, and to become their own user. It is less
 * than every container of Docker has, and gone with that user.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETUID']

/** More than is ever read of it (`service-output.ts`), so reading it again gives the same. */
const LOG_SIZE = '96m'
const logOptions: Record<LogDriver, Record<string, string>> = {
  local: { 'max-size': LOG_SIZE, 'max-file': '1', compress: 'false' },
  'k8s-file': { 'max-size': LOG_SIZE },
}

/**
 * The settings of a container that shares the network of a sandbox and nothing else, and has no folder and no port of
 * the host. Its image's own user and program are kept: people choose an image for these.
 */
export function serviceConfig(
  spec: ServiceSpec,
  beside: string,
  granted: Granted,
  { instance, logDriver = 'local', runtime }: { instance: string; logDriver?: LogDriver; runtime?: string | null },
): Docker.ContainerCreateOptions & { HostConfig: Docker.HostConfig } {
  return {
    name: spec.name,
    Image: spec.image,
    ...(spec.command !== null && { Cmd: [...spec.command] }),
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: { [label.instance]: instance, [label.execution]: spec.owner ?? '', [label.kind]: SERVICE },
    Tty: false,
    OpenStdin: false,
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    StopTimeout: 10,
    Healthcheck: { Test: ['NONE'] }, // we ask ourselves, and sooner
    HostConfig: {
      ...(runtime && { Runtime: runtime }),
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      Init: false,
      NetworkMode: `container:${beside}`,
      Privileged: false,
      CapDrop: ['ALL'],
      CapAdd: CAPABILITIES,
      SecurityOpt: ['no-new-privileges:true'],
      ReadonlyRootfs: false,
      Memory: granted.memoryBytes,
      MemorySwap: granted.memoryBytes,
      OomScoreAdj: 500,
      NanoCpus: Math.round(granted.cpus * 1e9),
      PidsLimit: spec.processes,
      Ulimits: ulimitsOf(logDriver),
      IpcMode: 'private',
      PidMode: '',
      UsernsMode: '',
      PublishAllPorts: false,
      LogConfig: { Type: logDriver, Config: logOptions[logDriver] },
    },
  }
}
