import type { ContainerInspectInfo } from 'dockerode'
import type { DockerClient } from './docker-client.ts'

/** What Podman's own inspect says beside the one that resembles Docker's. Bounding capabilities null: none are left. */
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

/** Podman's settings in Docker's words. It says "private" of what Docker leaves blank, and lists a mount a second time. */
export function inDockersWords(info: ContainerInspectInfo, own: PodmanInfo): ContainerInspectInfo {
  const have = info.HostConfig
  const blankIfPrivate = (mode: string | undefined) => (mode === 'private' ? '' : (mode ?? ''))
  const left = own.BoundingCaps
  const mounted = info.Mounts.map(({ Source, Destination }) => `${Source}:${Destination}:`)
  return {
    ...info,
    HostConfig: {
      ...have,
      // In its likeness of Docker's it always says "oci".
      Runtime: own.OCIRuntime,
      PidMode: blankIfPrivate(have.PidMode),
      UTSMode: blankIfPrivate(have.UTSMode),
      // Asked for "private", it makes one that the engine's owner could share with a second container, and nobody else.
      IpcMode: have.IpcMode === 'shareable' ? 'private' : (have.IpcMode ?? ''),
      Binds: (have.Binds ?? []).filter((bind) => !mounted.some((mount) => bind.startsWith(mount))),
      // It leaves that out where Docker would, and says it in its own words alone.
      Init: own.HostConfig.Init ?? false,
      LogConfig: { ...have.LogConfig, Type: own.HostConfig.LogConfig.Type, Config: {} },
      // It lists what it has added to its own defaults, and dropped of them; what matters is what is left.
      ...(left === undefined ? { CapDrop: have.CapDrop ?? [] } : { CapAdd: left ?? [], CapDrop: ['ALL'] }),
      Ulimits: (have.Ulimits ?? []).map((limit) => ({
        ...limit,
        Name: (limit.Name ?? '').replace(/^RLIMIT_/, '').toLowerCase(),
      })),
    },
  }
}
