/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type DownloadOptions } from '../assets/download-asset.js';
import type { Asset } from '../assets/find-assets.js';
export type SaveOptions = DownloadOptions & {
    /** File name without an extension. Default: the path of the asset in the output, such as `images-0-url`. */
    readonly name?: string;
};
export type SavedAsset = {
    readonly path: string;
    readonly mediaType: string | undefined;
    readonly bytes: number;
};
/**
 * Saves an asset in a folder under a safe name, without replacing a file. Rejects an empty file or an HTML page if the
 * output promises an image, a video, a sound or a 3D model.
 */
export declare function saveAsset(asset: Asset, folder: string, options: SaveOptions): Promise<SavedAsset>;
