/**
 * What reading may cost. Digests read 50 MiB in a second, and the files of a repository 10 MiB; a loaded machine changes
 * nothing, because only a thread's own processor time counts.
 */
export type AsideLimits = {
  /** Milliseconds of a processor for each MiB of text. */
  msPerMiB: number
  /** For a text of any size. */
  floorMs: number
  /** Of a text that comes in pieces, the most that pieces which cost little leave for one that costs much. */
  mostMs: number
}

export const asideLimits: AsideLimits = { msPerMiB: 1_000, floorMs: 1_000, mostMs: 5_000 }

/**
 * Text up to this many bytes is read on the server's own thread. Handing it over and back costs a thread that is awake a
 * tenth of a millisecond, and one that has to be started 60 ms and 20 MB, which most checks, with a few lines of output,
 * never need. The worst that the growth tests know of takes 8 ms at this size.
 */
export const SMALL_BYTES = 8 * 1024

/** Paths of a small repository: they are looked through, too. */
export const SMALL_PATHS = 500
