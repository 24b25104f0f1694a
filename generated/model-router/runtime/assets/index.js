export { AssetError, downloadAsset } from './download-asset.js';
export { findAssets } from './find-assets.js';
