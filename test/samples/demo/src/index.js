/**
 * legible: numbers, times and tables for the terminal.
 */

export * from './bytes.js'
export * from './duration.js'
export * from './pad.js'
export * from './table.js'
export * from './truncate.js'
