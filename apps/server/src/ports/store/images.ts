import type { ProjectId } from '@beadloom/core/records/ids.ts'

export type ImageUse = { name: string; project: ProjectId | null; usedAt: number }

/** When images were last of use. A removed project's images stay known until they are gone. */
export interface ImageStore {
  /**
   * It is of use now. `project`: the project for which this server makes it, or starts from it; null: anybody's.
   * `checkedOut`: the commit in it; absent: the known one stays.
   */
  noteImages(images: readonly { name: string; project: ProjectId | null; checkedOut?: string }[]): void
  forgetImages(names: readonly string[]): void
  images(): ImageUse[]
  /** The commit that is checked out in it; null if unknown. */
  checkedOutIn(name: string): string | null
}
