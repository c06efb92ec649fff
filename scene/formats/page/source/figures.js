// @ts-check
/** Lengths and counts as the window writes them: scene/measuring/lengths.py. */

const USUAL_DECIMALS = 3, LEAST_DIGITS = 3, MOST_DIGITS = 7, ROUNDING = 5, DIGITS = 6, MOST_DECIMALS = 12, GREATEST = 1e15;
/** @type {Record<string, number>} */
const DECIMALS = {mm: 2, cm: 2};

/** @param {number} value */
const power = (value) => Math.floor(Math.log10(Math.abs(value)));

/**
 * Return a function that writes lengths of a scene, all with the same decimals.
 * @param {number} size  the longest side of the scene's box, or 0
 * @param {string} [unit]  of length, or ''
 * @param {number | null} [fixed]  how many decimals; null: as the unit and the size ask for
 * @returns {(value: number, isAlone?: boolean) => string}  one beside others has no more decimals than they
 */
export function lengthsOf(size, unit = '', fixed = null) {
  const isSized = size > 0 && size < Infinity;
  /** @param {number} value */
  const decimalsOf = (value) => {
    if (fixed !== null) return fixed;
    if (!isSized) return value ? Math.max(0, DIGITS - 1 - power(value)) : 0;
    const least = Math.max(DECIMALS[unit] ?? USUAL_DECIMALS, LEAST_DIGITS - 1 - power(size));
    const decimals = Math.min(least, MOST_DIGITS - 1 - power(size));
    const isRounding = Math.abs(value) < ROUNDING * 10 ** (power(size) - MOST_DIGITS + 1);
    return Math.max(0, decimals, isRounding ? 0 : LEAST_DIGITS - 1 - power(value));
  };
  return (value, isAlone = true) => {
    if (!Number.isFinite(value)) return String(value);
    const decimals = decimalsOf(isAlone || !isSized ? value : 0);
    if (decimals > MOST_DECIMALS || Math.abs(value) >= GREATEST) return String(Number(value.toPrecision(DIGITS))).replace(/e([+-])(\d)$/, 'e$10$2');
    const text = (Number(value.toFixed(decimals)) + 0).toLocaleString('en', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
    return isSized || fixed !== null || !decimals ? text : text.replace(/0+$/, '').replace(/\.$/, '');
  };
}

/**
 * Write a count with its noun.
 * @param {number} number
 * @param {string} noun  of one
 */
export const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
