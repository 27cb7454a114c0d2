import { execFileSync } from 'node:child_process'

const docker = (args: string[], input?: string) =>
  execFileSync('docker', args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] }).trim()

/** Builds an image of the test's own over an existing one; no registry is asked. */
export const buildImage = (tag: string, dockerfile: string): void =>
  void docker(['build', '--quiet', '--tag', tag, '-'], dockerfile)

/** The newest build of the image from which Beadloom's containers start. */
export const ownBase = (): string => {
  const [base] = docker(['images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}']).split('\n')
  if (!base) throw new Error('there is no base image: npm test makes it')
  return base
}

export const removeImage = (tag: string): void => void docker(['rmi', '--force', tag])

/** A container's settings in the engine. */
export const inspected = (container: string): { HostConfig: Record<string, unknown>; Mounts: unknown[] } => {
  const [info] = JSON.parse(docker(['inspect', container])) as [
    { HostConfig: Record<string, unknown>; Mounts: unknown[] },
  ]
  return info
}
