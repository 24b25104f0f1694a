/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type DownloadOptions } from '../assets/download-asset.js';
import type { Asset } from '../assets/find-assets.js';
export type SaveOptions = DownloadOptions & {
    /** Without an extension; where the asset was found in the output by default, such as `images-0-url`. */
    readonly name?: string;
};
export type SavedAsset = {
    readonly path: string;
    readonly mediaType: string | undefined;
    readonly bytes: number;
};
/**
 * Saves an asset in a folder, under a name that no text of an output can lead out of it. A file that is there already is kept. Rejects for an
 * empty file and for an HTML page where the output says that it is an image, a clip, a sound or a model.
 */
export declare function saveAsset(asset: Asset, folder: string, options: SaveOptions): Promise<SavedAsset>;
