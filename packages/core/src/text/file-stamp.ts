/** "20261122T140510Z": sorts by time, and is valid in a file name everywhere. */
export const fileStamp = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
