import { execFileSync } from 'node:child_process'

export const docker = (...args: string[]): string[] =>
  execFileSync('docker', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Removes the images of a project of these tests. */
export function removeImages(project: string): void {
  const images = docker('images', '--quiet', '--filter', `reference=beadloom/project-${project}`)
  if (images.length > 0) docker('rmi', '--force', ...new Set(images))
}
