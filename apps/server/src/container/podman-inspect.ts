import type { ContainerInspectInfo } from 'dockerode'
import type { DockerClient } from './docker-client.ts'

/** The parts of Podman's own inspect that its Docker-like one lacks. Bounding capabilities null: none are left. */
export type PodmanInfo = {
  BoundingCaps?: string[] | null
  OCIRuntime?: string
  HostConfig: { LogConfig: { Type: string }; Init?: boolean }
}

export async function inspectByPodman(client: DockerClient, container: string): Promise<PodmanInfo> {
  const path = `/v4.0.0/libpod/containers/${container}/json`
  return (await client.call('look at the container', (signal) =>
    client.request({ method: 'GET', path, signal }),
  )) as PodmanInfo
}

/**
 * Translates Podman's settings to Docker's words. Podman writes "private" for Docker's blank, and lists mounts twice.
 */
export function inDockersWords(info: ContainerInspectInfo, own: PodmanInfo): ContainerInspectInfo {
  const have = info.HostConfig
  const blankIfPrivate = (mode: string | undefined) => (mode === 'private' ? '' : (mode ?? ''))
  const left = own.BoundingCaps
  const mounted = info.Mounts.map(({ Source, Destination }) => `${Source}:${Destination}:`)
  return {
    ...info,
    HostConfig: {
      ...have,
      // In its Docker-like form it always says "oci".
      Runtime: own.OCIRuntime,
      PidMode: blankIfPrivate(have.PidMode),
      UTSMode: blankIfPrivate(have.UTSMode),
      // Asked for "private", it makes one that the engine's owner could share with a second container, and nobody else.
      IpcMode: have.IpcMode === 'shareable' ? 'private' : (have.IpcMode ?? ''),
      Binds: (have.Binds ?? []).filter((bind) => !mounted.some((mount) => bind.startsWith(mount))),
      // Its Docker-like form leaves this out; only its own form has it.
      Init: own.HostConfig.Init ?? false,
      LogConfig: { ...have.LogConfig, Type: own.HostConfig.LogConfig.Type, Config: {} },
      // It lists what it added to its own defaults and dropped from them; only the rest matters.
      ...(left === undefined ? { CapDrop: have.CapDrop ?? [] } : { CapAdd: left ?? [], CapDrop: ['ALL'] }),
      Ulimits: (have.Ulimits ?? []).map((limit) => ({
        ...limit,
        Name: (limit.Name ?? '').replace(/^RLIMIT_/, '').toLowerCase(),
      })),
    },
  }
}
