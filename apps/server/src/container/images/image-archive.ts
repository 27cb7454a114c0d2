import type { Readable } from 'node:stream'
import type { Architecture } from '../docker-options.ts'
import { tarOf, type FileHashes } from './image-files.ts'

/**
 * Packs a file system as an image for these processors, in the form of `docker save`: an import would always have the
 * architecture of the engine's own machine.
 *
 * @param tar a file, which must stay until the stream has ended
 */
export async function archiveOf(
  { tar, tag, architecture }: { tar: string; tag: string; architecture: Architecture },
  hashes: FileHashes,
): Promise<Readable> {
  const config = {
    architecture,
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [`sha256:${await hashes.of(tar)}`] },
    history: [{ created_by: 'make-base.sh' }],
  }
  const manifest = [{ Config: 'config.json', RepoTags: [tag], Layers: ['layer.tar'] }]
  return tarOf([
    { name: 'manifest.json', mode: 0o644, text: JSON.stringify(manifest) },
    { name: 'config.json', mode: 0o644, text: JSON.stringify(config) },
    { name: 'layer.tar', mode: 0o644, path: tar },
  ])
}
