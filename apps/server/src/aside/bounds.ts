/**
 * The processor time that reading may take. Digests are read at 50 MiB a second, a repository's files at 10 MiB a
 * second. A loaded machine changes nothing, because only a thread's own processor time counts.
 */
export type AsideBounds = {
  /** Milliseconds of a processor for each MiB of text. */
  msPerMiB: number
  /** Granted to a text of any size. */
  floorMs: number
  /** The most that cheap pieces of a text may save up for an expensive one. */
  mostMs: number
}

export const asideBounds: AsideBounds = { msPerMiB: 1_000, floorMs: 1_000, mostMs: 5_000 }

/**
 * The allowed work for a text, as a multiple of the usual: the YAML library takes up to 4.4 s per MiB at its worst
 * (flow collections, anchors), and 1 s for plain workflows. A file has 256 KiB.
 */
export const dearnessOf = (path: string): number => (/\.ya?ml$/i.test(path) ? 6 : 1)

/** The dearness of changed tests: each removed one is compared with each added one. */
export const TESTS_DEARNESS = 10

/** The dearness of the tests that ran, and of a change to them: 20,000 names of a dozen letters take 0.3 s. */
export const VERDICT_DEARNESS = 5

/**
 * Text up to this many bytes is read on the server's own thread. Handing it over and back costs 1.5 ms of a processor
 * if a thread is awake. Starting one costs 70 to 100 ms and 16 to 27 MB (from sources, in development, 0.3 to 0.6 s),
 * and most checks print only a few lines. The worst text known takes 13 ms at this size (YAML; digests 2 ms), and
 * 46 ms if it is the first of its kind since the server started.
 */
export const SMALL_BYTES = 8 * 1024

/**
 * The limit for blocks of a tracker's file: a changed bead changes one or two blocks, and no thread is started for
 * those. The worst case is nothing but broken lines.
 */
export const SMALL_BLOCKS_BYTES = 2 * SMALL_BYTES

/**
 * The limit for changed tests, each of which is examined in a hundred ways: at 8 KiB the worst took 17 ms, the first
 * one 71 ms.
 */
export const SMALL_TESTS_BYTES = 2 * 1024

/** The limit for the number of a repository's paths, which are searched, too. */
export const SMALL_PATHS = 500
