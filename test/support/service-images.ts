import { execFileSync } from 'node:child_process'

const docker = (args: string[], input?: string) =>
  execFileSync('docker', args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] }).trim()

/** An image of the test's own over one that is there; no registry is asked. */
export const buildImage = (tag: string, dockerfile: string): void =>
  void docker(['build', '--quiet', '--tag', tag, '-'], dockerfile)

/** The image that Beadloom's containers start from, of the newest build. */
export const ownBase = (): string => {
  const [base] = docker(['images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}']).split('\n')
  if (!base) throw new Error('there is no base image: npm test makes it')
  return base
}

export const removeImage = (tag: string): void => void docker(['rmi', '--force', tag])

/** A container's settings as the engine has them. */
export const inspected = (container: string): { HostConfig: Record<string, unknown>; Mounts: unknown[] } => {
  const [info] = JSON.parse(docker(['inspect', container])) as [
    { HostConfig: Record<string, unknown>; Mounts: unknown[] },
  ]
  return info
}
